// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- a function, in a window of its own ---- */

function reasonName(reason) {
	const [name, limit] = data.reasons[reason];
	return limit ? `${name} ${limit}` : name;
}

function reasonText({ reason, growth }) {
	const sentence = data.reasons[reason][2] || "GCC has a new reason";
	return `${sentence} (${reasonName(reason)}${growth === null ? "" : `, estimated growth ${growth}`})`;
}

function placeOf(node, file) {
	return node.call.line ? `${file}:${node.call.line}` : file;
}

/* A name that opens its function, where that is listed. */
function functionLink(unit, index) {
	const row = unit.rows?.get(index), text = functionOf(unit, index).name;
	return row ? link(text, () => openDetails(row), { class: "link code" }) :
		el("span", { class: "code", text });
}

/* The rule for single calls of the function in the source of CALLER, if there is one. */
function ruleOf(unit, caller, callee) {
	const origin = (index) => earlyViews(unit, index).at(-1).body;
	for (let i = 0; i < unit.ruled.length; i += 4) {
		if (unit.ruled[i] === origin(caller) && unit.ruled[i + 1] === origin(callee))
			return { word: texts[unit.ruled[i + 2]], why: texts[unit.ruled[i + 3]] };
	}
	return null;
}

function describeRule(node) {
	const { index } = bodyFunction(node.unit, node.call.body);
	const rule = ruleOf(node.unit, index, node.index);
	return rule ? el("span", { class: "tag", text: `rule for the call: ${rule.word}`,
		title: rule.why ? `It cannot hold: ${rule.why}` : undefined }) : "";
}

const FATES = { early: "early", ipa: "IPA" };

function describe(node, file) {
	const one = functionOf(node.unit, node.index);
	const line = [functionLink(node.unit, node.index),
		node.count > 1 ? ` ${node.count} times` : "", describeRule(node)];
	if (node.call.fate === "refused")
		return [el("span", { class: "refused", text: "not inlined: " }), ...line,
			el("span", { class: "why", text: `${placeOf(node, file)}: ${reasonText(node.call)}` })];
	return [...line, el("span", { class: "tag", text: FATES[node.call.fate] }),
		one.how & HOW.alwaysInline ? el("span", { class: "tag", text: "always_inline" }) : "",
		el("span", { class: "faint", text: placeOf(node, file) })];
}

function drawCall(node, file) {
	const inner = node.call.fate === "refused" ? [] : joinAlike(callsIn(node));
	if (!inner.length)
		return el("li", { class: "leaf" }, ...describe(node, file));
	const box = el("details", {}, el("summary", {}, ...describe(node, file)));
	/* When it is opened for the first time: trees can be large. */
	const open = () => {
		const { file } = functionOf(node.unit, node.index);
		if (box.children.length === 1)
			box.append(el("ul", {}, inner.map((child) => drawCall(child, file))));
	};
	box.addEventListener("toggle", open);
	box.expand = () => {
		open();
		box.open = true;
	};
	return el("li", {}, box);
}

const MOST_EXPANDED = 2000;

function expandAll(root) {
	const boxes = [...root.querySelectorAll("details")];
	for (let i = 0; i < boxes.length && i < MOST_EXPANDED; i++) {
		boxes[i].expand();
		for (const inner of boxes[i].querySelectorAll(":scope > ul > li > details"))
			if (!boxes.includes(inner, i))
				boxes.push(inner);
	}
}

function drawTreeOf(one) {
	const calls = joinAlike(callsIn(rootNode(one)));
	if (!calls.length)
		return el("p", { class: "faint", text: "No call of a function that the unit has the body of." });
	const tree = el("ul", { class: "tree" }, calls.map((node) => drawCall(node, functionFile(one))));
	return el("div", {}, tree.querySelector("details") ?
		link("Open all", () => expandAll(tree)) : null, tree);
}

/* The lines of a clone's calls are in the file of its origin. */
function functionFile(one) {
	return functionOf(one.unit, earlyViews(one.unit, one.index).at(-1).body).file;
}

/* Every refusal in the function, wherever in its tree. */
function refusalsOf(one) {
	const found = [];
	forRefused(one.unit, (body, callee, line, reason, growth) => {
		if (one.unit.roots[body] === one.index)
			found.push({ unit: one.unit, index: callee,
				call: { fate: "refused", callee, line, body, reason, growth } });
	});
	return joinAlike(found);
}

function bodyFunction(unit, body) {
	const copy = body - unit.nrFunctions;
	return functionOf(unit, copy < 0 ? body : unit.copies[4 * copy + 1]);
}

function drawRefusals(one) {
	const found = refusalsOf(one);
	if (!found.length)
		return el("p", { class: "faint", text: "None." });
	return el("ul", { class: "tree" }, found.map((node) => {
		const within = bodyFunction(one.unit, node.call.body);
		const where = within.index === one.index ? "" :
			el("span", { class: "why", text: `in ${within.name}, which is inlined` });
		return el("li", { class: "leaf" }, ...describe(node, functionFile(within)), where);
	}));
}

/* What the function itself went into. */
function callersOf(one) {
	const roots = new Set();
	forEarly(one.unit, (body, callee) => callee === one.index && roots.add(one.unit.roots[body]));
	forCopies(one.unit, (outer, callee) => callee === one.index && roots.add(one.unit.roots[outer]));
	roots.delete(one.index);
	return [...roots];
}

function frameText(one) {
	if (!isPutOut(one) || one.frame < 0)
		return "not known";
	const more = one.how & HOW.dynamic ? one.how & HOW.bounded ? " at most" : " and more" : "";
	return `${plain.format(one.frame)} bytes${more}`;
}

function sizeFact(one) {
	if (!isPutOut(one))
		return "not put out: nothing but what was inlined is left of it";
	if (!one.unit.hasSizes)
		return `≈ ${plain.format(one.after)} by GCC’s estimate: the object could not be read`;
	return plural(one.bytes, "byte") +
		(one.cold ? `, ${plain.format(one.cold)} of them in its .cold part` : "");
}

function estimateFact(one) {
	if (!(one.how & HOW.hasSizes))
		return "not known";
	if (!(one.how & HOW.isLeft))
		return `${one.before} before, nothing after it`;
	return `${one.before} before, ${one.after} after: ${change(one.before, one.after)}`;
}

function settingsFact(one) {
	const settings = one.settings || one.unit.settings || "none";
	return settings.split(" ").flatMap((text) => [el("span", { class: "whole", text }), " "]);
}

function cloneFact(one) {
	if (!one.kind)
		return null;
	const origin = one.origin >= 0 ? functionOf(one.unit, one.origin).name : "one that is gone";
	return `${one.kind}, of ${origin}`;
}

function mergedFact(one) {
	if (!(one.how & HOW.merged))
		return null;
	return one.twin >= 0 && one.twin !== one.index ?
		`with ${functionOf(one.unit, one.twin).name}, which is the same code` :
		"with a function that is gone";
}

function rulesFact(one) {
	const words = [one.how & HOW.kept ? "kept" : "", one.how & HOW.left ? "left alone" : ""];
	return words.filter(Boolean).join(", ") || null;
}

function callsFact(one) {
	return `${inlinedOf(one)}: always_inline ${one.always}, early ${one.early}, by IPA ${one.ipa}`;
}

const ofCode = (fact) => (one) => isPutOut(one) && !(one.how & HOW.symbol) ? fact(one) : null;

/* [NAME, what is to be told of a function, or null: nothing] */
const FACTS = [
	["Size", sizeFact],
	["Inlining, GCC’s estimate", estimateFact],
	["Frame", ofCode(frameText)],
	["mcount site", ofCode((one) => isTraceable(one) ? "yes" : "no")],
	["Section", ofCode((one) => one.section || ".text")],
	["Calls inlined", callsFact],
	["Calls refused", (one) => String(one.refused)],
	["Settings", settingsFact],
	["Defined in", (one) => one.file === one.unit.name ? null : one.file],
	["Clone", cloneFact],
	["Merged", mergedFact],
	["Rules", rulesFact],
	["Record", (one) => one.how & HOW.symbol ?
		"says nothing of it: a symbol of the object, of assembler for one" : null],
];

function drawFacts(row) {
	const missing = (side) => row.sides[side] ? "–" : "not in this build";
	const lines = FACTS.map(([title, fact]) => [title, row.sides.map((one) => one ? fact(one) : null)])
		.filter(([, values]) => values.some((value) => value !== null))
		.map(([title, values]) => el("tr", {}, el("td", { text: title }),
			values.map((value, side) => el("td", {}, value ?? missing(side)))));
	const heads = SIDES.map((side) => el("th", { scope: "col", text: sideName(side) }));
	return el("div", { class: "list" }, el("table", { class: "facts" },
		isTwo ? el("tr", {}, el("td"), heads) : null, lines));
}

/* Of a clone, that of its origin. */
function sourceName(unit, index) {
	return functionOf(unit, earlyViews(unit, index).at(-1).body).name;
}

const MOST_EDGES = 20000;

/* "a → b" of every call that was inlined anywhere in the function, with how many there are. */
function edgesOf(one) {
	const edges = new Map(), nodes = one ? [rootNode(one)] : [];
	for (let i = 0; i < nodes.length && i < MOST_EDGES; i++) {
		for (const node of callsIn(nodes[i]).filter((inner) => inner.call.fate !== "refused")) {
			const edge = `${sourceName(node.unit, nodes[i].index)} ← ${sourceName(node.unit, node.index)}`;
			edges.set(edge, (edges.get(edge) ?? 0) + 1);
			nodes.push(node);
		}
	}
	return edges;
}

/* What one of two has more of: [EDGE, HOW OFTEN]. */
function edgesAlone(edges, others) {
	return [...edges].map(([edge, count]) => [edge, count - (others.get(edge) ?? 0)])
		.filter(([, count]) => count > 0);
}

function drawEdges(row) {
	const edges = row.sides.map(edgesOf);
	return el("div", { class: "sides", id: "edges" }, SIDES.map((side) => {
		const alone = edgesAlone(edges[side], edges[1 - side]);
		const sum = alone.reduce((all, [, count]) => all + count, 0);
		const lines = alone.map(([edge, count]) =>
			el("li", { class: "code", text: edge + (count > 1 ? `, ${count} times` : "") }));
		return el("div", {},
			el("h3", { text: `Inlined in ${SIDE_NAMES[side]} alone, nested calls included: ${sum}` }),
			sum ? el("ul", { class: "tree" }, lines) : el("p", { class: "faint", text: "Nothing." }));
	}));
}

const MOST_CALLERS = 50;

function drawCallers(one, of) {
	const callers = callersOf(one), more = callers.length - MOST_CALLERS;
	if (!callers.length)
		return [];
	return [el("h3", { text: `Itself inlined into${of}` }),
		el("p", {}, callers.slice(0, MOST_CALLERS)
			.flatMap((index, i) => [i ? ", " : "", functionLink(one.unit, index)]),
		more > 0 ? ` and ${more} more` : "")];
}

function drawSide(one, side) {
	const of = isTwo ? `, ${SIDE_NAMES[side]}` : "";
	if (!one)
		return el("div", {}, el("h3", { text: `Not in ${SIDE_NAMES[side]}` }));
	return el("div", { class: "side" }, drawCallers(one, of),
		el("h3", { text: `What is in it${of}` }), drawTreeOf(one),
		el("h3", { text: `Refused calls${of}` }), drawRefusals(one));
}

const opened = [];

function drawDetails() {
	const row = opened.at(-1), box = byId("details");
	const back = el("button", { type: "button", text: "← Back", onclick: goBack });
	const close = el("button", { type: "button", text: "Close", onclick: () => box.close() });
	box.classList.toggle("two", isTwo);
	box.replaceChildren(
		el("div", { class: "top" }, opened.length > 1 ? back : null,
			el("h2", { id: "details-title", class: "code", text: row.name }), close),
		el("p", { class: "faint", text: row.unit }),
		drawFacts(row), ...isTwo ? [drawEdges(row)] : [],
		el("div", { class: "sides" }, row.sides.map(drawSide)));
	box.scrollTop = 0;
}

function goBack() {
	opened.pop();
	drawDetails();
	byId("details").focus();
}

function openDetails(row) {
	opened.push(row);
	drawDetails();
	if (!byId("details").open)
		byId("details").showModal();
	byId("details").focus();
}

function startDetails() {
	const box = byId("details");
	box.tabIndex = -1;
	box.addEventListener("close", () => { opened.length = 0; });
	/* Beside it. */
	box.addEventListener("click", (event) => {
		if (event.target === box && event.clientX < box.getBoundingClientRect().left)
			box.close();
	});
}
