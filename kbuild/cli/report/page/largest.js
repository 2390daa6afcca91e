// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- the largest ---- */

const LONGEST_LIST = 15;

function nameCell(row) {
	return el("td", {}, link(row.name, () => openDetails(row), { class: "link code" }),
		el("span", { class: "faint", text: row.unit }));
}

/* COLUMNS: [title, row => number or text]; the last is a change. */
function list(title, sorted, columns) {
	if (!sorted.length)
		return null;
	return el("div", { class: "list" }, el("table", {}, el("caption", { text: title }),
		el("tr", {}, el("th", { scope: "col", text: "Function" }),
			columns.map(([name]) => el("th", { scope: "col", class: "number", text: name }))),
		sorted.slice(0, LONGEST_LIST).map((row) => el("tr", {}, nameCell(row),
			columns.map(([, value, isChange]) => el("td", { class: isChange ? changeClass(value(row)) : "number",
				text: isChange ? signed.format(value(row)) : plain.format(value(row)) }))))));
}

/* The largest by NUMBER, which is over 0. */
function largest(number, test = () => true) {
	return rows.filter((row) => number(row) > 0 && test(row))
		.sort((a, b) => number(b) - number(a) || (a.key < b.key ? -1 : 1)).slice(0, LONGEST_LIST);
}

const bothPutOut = (row) => row.sides.every(isPutOut);

function listsOfTwo() {
	const sizes = [["A", (row) => row.sizes[0]], ["B", (row) => row.sizes[1]],
		["Change", (row) => row.delta, true]];
	const frames = [["A", (row) => row.frames[0]], ["B", (row) => row.frames[1]],
		["Change", (row) => row.frameDelta, true]];
	return [
		list("Grown most, bytes", largest((row) => row.delta, bothPutOut), sizes),
		list("Shrunk most, bytes", largest((row) => -row.delta, bothPutOut), sizes),
		list("In B alone, bytes", largest((row) => row.delta, (row) => !isPutOut(row.sides[0])),
			sizes.slice(1)),
		list("In A alone, bytes", largest((row) => -row.delta, (row) => !isPutOut(row.sides[1])),
			[sizes[0], sizes[2]]),
		list("Frames grown most, bytes", largest((row) => row.frameDelta), frames),
		list("Largest frames in B, bytes", largest((row) => row.frames[1]), frames.slice(0, 2)),
	];
}

function listsOfOne() {
	return [
		list("Grown most by inlining, GCC’s estimate", largest((row) => row.delta), [
			["Before", (row) => row.sides[0].before], ["After", (row) => row.sides[0].after],
			["Change", (row) => row.delta, true]]),
		list("Largest frames, bytes", largest((row) => row.frames[0]), [["Frame", (row) => row.frames[0]]]),
		list("Largest functions, bytes", largest((row) => row.sizes[0]), [["Size", (row) => row.sizes[0]],
			["Inlined", (row) => row.inlined[0]]]),
	];
}

function countReasons() {
	const counts = data.reasons.map(() => SIDES.map(() => 0));
	for (const unit of units)
		forRefused(unit, (body, callee, line, reason) => { counts[reason][unit.side]++; });
	return counts;
}

function showRefusedFor(reason) {
	const found = new Set();
	for (const unit of units)
		forRefused(unit, (body, callee, line, why) => {
			if (why === reason)
				found.add(unit.rows?.get(unit.roots[body]));
		});
	showThose(`Refused for ${reasonName(reason)}`, (row) => found.has(row));
}

function reasonList() {
	const counts = countReasons();
	const order = [...counts.keys()].sort((a, b) => counts[b].at(-1) - counts[a].at(-1) || a - b);
	if (!order.length)
		return null;
	return el("div", { class: "list" }, el("table", {}, el("caption", { text: "Why calls were refused" }),
		el("tr", {}, el("th", { scope: "col", text: "Reason" }),
			SIDES.map((side) => el("th", { scope: "col", class: "number",
				text: isTwo ? SIDE_NAMES[side] : "Calls" }))),
		order.slice(0, LONGEST_LIST).map((reason) => el("tr", {},
			el("td", {}, link(data.reasons[reason][2] || data.reasons[reason][0], () => showRefusedFor(reason)),
				el("span", { class: "faint code", text: reasonName(reason) })),
			SIDES.map((side) => el("td", { class: "number", text: plain.format(counts[reason][side]) }))))));
}

function showLists() {
	byId("lists").append(...[...(isTwo ? listsOfTwo() : listsOfOne()), reasonList()].filter(Boolean));
}
