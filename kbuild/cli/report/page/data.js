// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- data ---- */

const HOW = {
	putOut: 1 << 0, traceable: 1 << 1, dynamic: 1 << 2, bounded: 1 << 3, alwaysInline: 1 << 4,
	left: 1 << 5, kept: 1 << 6, copied: 1 << 7, merged: 1 << 8, hasSizes: 1 << 9,
	isLeft: 1 << 10, symbol: 1 << 11, namedAlone: 1 << 12,
};

const data = JSON.parse(byId("data").textContent);
const texts = data.texts;
const builds = data.builds;
const isTwo = builds.length > 1;
const SIDES = builds.map((_, side) => side);

/* A function of a unit. */
function readFunction(unit, index) {
	const [name, how, file, before, after, bytes, frame, settings, section, cold, origin, kind, twin] =
		unit.functions[index];
	return {
		unit, index, how: how ?? 0, name: texts[name], file: texts[file ?? 0] || unit.name,
		before: before ?? 0, after: after ?? 0, bytes: (bytes ?? 0) + (cold ?? 0), cold: cold ?? 0,
		frame: (frame ?? 0) - 1, settings: texts[settings ?? 0], section: texts[section ?? 0],
		origin: (origin ?? 0) - 1, kind: texts[kind ?? 0], twin: (twin ?? 0) - 1,
		always: 0, early: 0, ipa: 0, refused: 0,
	};
}

/* EACH(body, callee, line) */
function forEarly(unit, each) {
	for (let i = 0; i < unit.early.length;) {
		const body = unit.early[i], end = i + 2 + 2 * unit.early[i + 1];
		for (i += 2; i < end; i += 2)
			each(body, unit.early[i], unit.early[i + 1]);
	}
}

/* EACH(body, callee, line, reason, growth) */
function forRefused(unit, each) {
	for (let i = 0; i < unit.refused.length;) {
		const body = unit.refused[i], reason = unit.refused[i + 1];
		const end = i + 3 + 3 * unit.refused[i + 2];
		for (i += 3; i < end; i += 3)
			each(body, unit.refused[i], unit.refused[i + 1], reason, unit.refused[i + 2]);
	}
}

/* EACH(outer, function, line, isWithin, body) */
function forCopies(unit, each) {
	for (let i = 0; i < unit.copies.length; i += 4)
		each(unit.copies[i], unit.copies[i + 1], unit.copies[i + 2], unit.copies[i + 3],
			unit.nrFunctions + i / 4);
}

/* The function that a copy is in, whatever is between them: an outer body has a smaller number. */
function findRoots(unit) {
	const roots = new Uint32Array(unit.nrFunctions + unit.copies.length / 4);
	for (let i = 0; i < unit.nrFunctions; i++)
		roots[i] = i;
	forCopies(unit, (outer, callee, line, isWithin, body) => { roots[body] = roots[outer]; });
	return roots;
}

/* Of each function, as one in all that it has in it. */
function countCalls(unit) {
	const counts = Object.fromEntries(["always", "early", "ipa", "refused"]
		.map((kind) => [kind, new Uint32Array(unit.nrFunctions)]));
	const count = (body, callee, kind) =>
		counts[unit.functions[callee][1] & HOW.alwaysInline ? "always" : kind][unit.roots[body]]++;
	forEarly(unit, (body, callee) => count(body, callee, "early"));
	forRefused(unit, (body) => { counts.refused[unit.roots[body]]++; });
	forCopies(unit, (outer, callee, line, isWithin) => {
		if (!isWithin)
			count(outer, callee, "ipa");
	});
	return counts;
}

/*
 * What is listed: what was put out, and of the rest what the unit's own source defines.
 * Inline functions of headers are in every unit, and are told of in what they are in.
 */
function isListed(how) {
	return how & HOW.putOut || !(how & (HOW.copied | HOW.namedAlone));
}

function readUnit([name, settings, hasSizes, functions, copies, early, refused, ruled], side) {
	const unit = { side, name: texts[name], settings: texts[settings], hasSizes, functions,
		copies, early, refused, ruled, nrFunctions: functions.length, before: 0, after: 0 };
	unit.roots = findRoots(unit);
	return unit;
}

const inlinedOf = (one) => one.always + one.early + one.ipa;

/* In bytes, or where the object could not be read as GCC guesses; 0: not put out. */
function sizeOf(one) {
	if (!one || !(one.how & HOW.putOut))
		return 0;
	return one.unit.hasSizes ? one.bytes : one.after;
}

function listFunctions(unit, each) {
	const counts = countCalls(unit);
	for (const [index, [, how, , before, after]] of unit.functions.entries()) {
		unit.before += before ?? 0;
		unit.after += after ?? 0;
		if (!isListed(how ?? 0))
			continue;
		const one = readFunction(unit, index);
		for (const [kind, numbers] of Object.entries(counts))
			one[kind] = numbers[index];
		each(one);
	}
}

/* A row is a function in one build or both: `sides` are its functions, or undefined. */
function readRows() {
	const rows = new Map();
	for (const [side, build] of builds.entries()) {
		for (const raw of build.list) {
			const unit = readUnit(raw, side);
			units.push(unit);
			listFunctions(unit, (one) => addSide(rows, one, side));
		}
		build.list = null;
	}
	return [...rows.values()];
}

function addSide(rows, one, side) {
	let key = `${one.unit.name}:${one.name}`;
	while (rows.get(key)?.sides[side])
		key += " ";	/* static ones of one name in one unit */
	if (!rows.has(key))
		rows.set(key, { key, name: one.name, unit: one.unit.name, sides: SIDES.map(() => undefined),
			haystack: key.toLowerCase() });
	rows.get(key).sides[side] = one;
	one.row = rows.get(key);
	/* By their numbers, for what calls them. */
	(one.unit.rows ??= new Map()).set(one.index, one.row);
}

const isPutOut = (one) => Boolean(one && one.how & HOW.putOut);
const isTraceable = (one) => Boolean(one && one.how & HOW.traceable);
const isGrown = (one) => Boolean(one && one.how & HOW.hasSizes && one.how & HOW.isLeft);
const growthOf = (one) => isGrown(one) ? one.after - one.before : 0;

function fillRow(row) {
	const [a] = row.sides, b = row.sides.at(-1);
	row.sizes = row.sides.map(sizeOf);
	row.delta = isTwo ? row.sizes[1] - row.sizes[0] : growthOf(a);
	row.frames = row.sides.map((one) => isPutOut(one) ? one.frame : -1);
	row.frameDelta = isTwo && row.frames[0] >= 0 && row.frames[1] >= 0 ? row.frames[1] - row.frames[0] : 0;
	row.inlined = row.sides.map((one) => one ? inlinedOf(one) : 0);
	row.refused = row.sides.map((one) => one ? one.refused : 0);
	row.isPutOut = isPutOut(a) || isPutOut(b);
	row.isEstimate = row.sides.some((one) => isPutOut(one) && !one.unit.hasSizes);
}

const units = [];
const rows = readRows();
rows.forEach(fillRow);
