// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- a function: what was inlined into it ---- */

/*
 * What a record tells of calls, by the body in which they are. The copies that the early
 * inliner made are those of the function itself; `within` says where one differs from it.
 */
function indexCalls(unit) {
	const index = { early: new Map(), ipa: new Map(), within: new Map(), refused: new Map() };
	const add = (map, body, call) => {
		if (!map.has(body))
			map.set(body, []);
		map.get(body).push(call);
	};
	forEarly(unit, (body, callee, line) => add(index.early, body, { fate: "early", callee, line, body }));
	forRefused(unit, (body, callee, line, reason, growth) =>
		add(index.refused, body, { fate: "refused", callee, line, body, reason, growth }));
	forCopies(unit, (outer, callee, line, isWithin, copy) =>
		add(isWithin ? index.within : index.ipa, outer, { fate: "ipa", callee, line, body: outer, copy }));
	return index;
}

const callsOf = (unit) => unit.index ??= indexCalls(unit);
const functionOf = (unit, index) => readFunction(unit, index);

/* Of a bad record, where clones are clones of each other. */
const LONGEST_CHAIN = 32;

/* What any copy of the function has in it; a clone has what its origin has. */
function earlyViews(unit, index) {
	const views = [{ body: index, isEarlyAlone: true }];
	for (let i = 0; i < LONGEST_CHAIN; i++) {
		const origin = functionOf(unit, index).origin;
		if (origin < 0 || origin === index)
			break;
		index = origin;
		views.push({ body: index, isEarlyAlone: true });
	}
	return views;
}

/* A piece of code is told of in several bodies: its views. */
function rootNode(one) {
	return { unit: one.unit, index: one.index, depth: 0,
		views: [{ body: one.index, isEarlyAlone: false }, ...earlyViews(one.unit, one.index).slice(1)] };
}

/* Of calls of one line and callee the copies are told at the first: which is which is not known. */
function copiesWithin(node, call, seen) {
	const key = `${call.callee}:${call.line}`;
	if (seen.has(key))
		return [];
	seen.add(key);
	return node.views.flatMap((view) => (callsOf(node.unit).within.get(view.body) ?? [])
		.filter((copy) => copy.callee === call.callee && copy.line === call.line)
		.map((copy) => ({ body: copy.copy, isEarlyAlone: view.isEarlyAlone })));
}

function enterCall(node, call, seen) {
	const views = earlyViews(node.unit, call.callee);
	if (call.fate === "ipa")
		views.unshift({ body: call.copy, isEarlyAlone: false });
	else if (call.fate === "early")
		views.push(...copiesWithin(node, call, seen));
	return { unit: node.unit, index: call.callee, call, depth: node.depth + 1, views };
}

/* Calls in a piece of code, by line, alike ones as one with a count. */
function callsIn(node) {
	const index = callsOf(node.unit), calls = [], seen = new Set();
	if (node.depth > LONGEST_CHAIN)
		return calls;
	for (const view of node.views) {
		calls.push(...index.early.get(view.body) ?? []);
		if (!view.isEarlyAlone)
			calls.push(...index.ipa.get(view.body) ?? [], ...index.refused.get(view.body) ?? []);
	}
	return calls.map((call) => enterCall(node, call, seen))
		.sort((a, b) => (a.call.line || Infinity) - (b.call.line || Infinity) || 0);
}

function joinAlike(nodes) {
	const joined = new Map();
	for (const node of nodes) {
		const { fate, callee, line, reason, growth } = node.call;
		const key = fate === "refused" ? [callee, line, reason, growth].join() : joined.size;
		if (joined.has(key))
			joined.get(key).count++;
		else
			joined.set(key, { ...node, count: 1 });
	}
	return [...joined.values()];
}
