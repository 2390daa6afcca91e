// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- functions: a list of which only the part in sight is there ---- */

const nameOf = (row) => row.name;
const ofSide = (key, side) => (row) => row[key][side];

/* TITLE, VALUE to sort by, KIND: name, number, change; on a narrow screen only some are shown. */
function columnsOfOne() {
	return [
		{ title: "Function", value: nameOf, kind: "name", width: "minmax(0, 3fr)" },
		{ title: "Unit", value: (row) => row.unit, kind: "name", width: "minmax(0, 2fr)", isWide: true },
		{ title: "Bytes", value: ofSide("sizes", 0), kind: "size", width: "4.5rem" },
		{ title: "Growth", value: (row) => row.delta, kind: "change", width: "4.5rem",
			help: "by inlining, GCC’s estimate" },
		{ title: "Frame", value: ofSide("frames", 0), kind: "number", width: "4.5rem", isWide: true },
		{ title: "Inlined", value: ofSide("inlined", 0), kind: "number", width: "5rem", isWide: true },
		{ title: "Refused", value: ofSide("refused", 0), kind: "number", width: "5rem", isWide: true },
	];
}

function columnsOfTwo() {
	return [
		{ title: "Function", value: nameOf, kind: "name", width: "minmax(0, 3fr)" },
		{ title: "Unit", value: (row) => row.unit, kind: "name", width: "minmax(0, 2fr)", isWide: true },
		{ title: "Bytes A", value: ofSide("sizes", 0), kind: "size", side: 0, width: "5.2rem", isWide: true },
		{ title: "Bytes B", value: ofSide("sizes", 1), kind: "size", side: 1, width: "4.5rem" },
		{ title: "Change", value: (row) => row.delta, kind: "change", width: "4.5rem" },
		{ title: "Frame A", value: ofSide("frames", 0), kind: "number", width: "4.6rem", isWide: true },
		{ title: "Frame B", value: ofSide("frames", 1), kind: "number", width: "4.6rem", isWide: true },
		{ title: "Inlined A", value: ofSide("inlined", 0), kind: "number", width: "5rem", isWide: true },
		{ title: "Inlined B", value: ofSide("inlined", 1), kind: "number", width: "5rem", isWide: true },
	];
}

const some = (test) => (row) => row.sides.some((one) => one && test(one));

const FILTERS = [
	["All with code", (row) => row.isPutOut],
	["With refused calls", some((one) => one.refused > 0)],
	["Kept by a rule", some((one) => one.how & HOW.kept)],
	["Left alone", some((one) => one.how & HOW.left)],
	["Clones", some((one) => one.kind && isPutOut(one))],
	["Without an mcount site", some((one) => isPutOut(one) && !isTraceable(one))],
	["Not put out: inlined everywhere or unused", (row) => !row.isPutOut],
];

const FILTERS_OF_TWO = [
	["Size differs", (row) => row.delta !== 0],
	["Larger in B", (row) => row.delta > 0],
	["Smaller in B", (row) => row.delta < 0],
	["Frame larger in B", (row) => row.frameDelta > 0],
	["Put out in A alone", (row) => isPutOut(row.sides[0]) && !isPutOut(row.sides[1])],
	["Put out in B alone", (row) => isPutOut(row.sides[1]) && !isPutOut(row.sides[0])],
	["mcount site lost in B", (row) => isTraceable(row.sides[0]) && !isTraceable(row.sides[1])],
	["mcount site gained in B", (row) => isTraceable(row.sides[1]) && !isTraceable(row.sides[0])],
];

const table = {
	columns: isTwo ? columnsOfTwo() : columnsOfOne(),
	filters: isTwo ? [FILTERS[0], ...FILTERS_OF_TWO, ...FILTERS.slice(1)] : FILTERS,
	filter: 0, sort: isTwo ? 4 : 2, isDescending: true,
	nrFilters: 0, found: [], chosen: 0, rowHeight: 30, first: 0, end: 0,
};

function compareBy(value, isDescending) {
	const sign = isDescending ? -1 : 1;
	return (a, b) => {
		const one = value(a), other = value(b);
		if (one !== other)
			return one < other ? -sign : sign;
		return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
	};
}

/* Words, all of which are somewhere in the name or the unit. */
function find() {
	const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
	const test = table.filters[table.filter][1];
	table.found = rows.filter((row) => test(row) && words.every((word) => row.haystack.includes(word)))
		.sort(compareBy(table.columns[table.sort].value, table.isDescending));
	table.chosen = 0;
	byId("count").textContent = plural(table.found.length, "function");
	byId("table").setAttribute("aria-rowcount", table.found.length + 1);
	byId("table").scrollTop = 0;
	byId("rows").style.height = `${table.found.length * table.rowHeight}px`;
	drawRows();
}

function cellText(column, row) {
	const value = column.value(row);
	if (column.kind === "change")
		return value ? signed.format(value) : "0";
	if (value < 0 || (column.kind === "size" && !isPutOut(row.sides[column.side ?? 0])))
		return "–";
	const isEstimate = column.kind === "size" && !row.sides[column.side ?? 0].unit.hasSizes;
	return (isEstimate ? "≈ " : "") + plain.format(value);
}

function drawCell(column, row) {
	const wide = column.isWide ? " wide" : "";
	if (column.value === nameOf)
		return el("span", { class: "name code", role: "gridcell", title: row.name }, row.name,
			el("span", { class: "faint", text: row.unit }));
	if (column.kind === "name")
		return el("span", { class: `faint${wide}`, role: "gridcell", text: row.unit, title: row.unit });
	return el("span", { class: (column.kind === "change" ? changeClass(row.delta) : "number") + wide,
		role: "gridcell", text: cellText(column, row) });
}

function drawRow(index) {
	const row = table.found[index];
	const element = el("div", { class: "row", role: "row", id: `row-${index}`, "aria-rowindex": index + 2,
		"aria-selected": String(index === table.chosen), onclick: () => {
			chooseRow(index);
			openDetails(row);
		} }, table.columns.map((column) => drawCell(column, row)));
	element.classList.toggle("chosen", index === table.chosen);
	element.classList.toggle("gone", !row.isPutOut);
	element.style.top = `${index * table.rowHeight}px`;
	return element;
}

/* Rows are drawn before they come in sight. */
const MARGIN = 12;

function rowsInSight() {
	const box = byId("table"), first = Math.floor(box.scrollTop / table.rowHeight);
	return [first, Math.min(table.found.length, first + Math.ceil(box.clientHeight / table.rowHeight))];
}

function drawRows() {
	const box = byId("table"), [top, bottom] = rowsInSight(), drawn = [];
	table.first = Math.max(0, top - MARGIN);
	table.end = Math.min(table.found.length, bottom + MARGIN);
	for (let i = table.first; i < table.end; i++)
		drawn.push(drawRow(i));
	byId("rows").replaceChildren(...drawn);
	if (table.found.length)
		box.setAttribute("aria-activedescendant", `row-${table.chosen}`);
	else
		box.removeAttribute("aria-activedescendant");
}

function drawIfScrolled() {
	const [top, bottom] = rowsInSight();
	if (top < table.first || bottom > table.end)
		drawRows();
}

function chooseRow(index) {
	const box = byId("table"), head = byId("head").offsetHeight;
	table.chosen = Math.max(0, Math.min(table.found.length - 1, index));
	const top = table.chosen * table.rowHeight;
	if (top < box.scrollTop)
		box.scrollTop = top;
	else if (top + table.rowHeight + head > box.scrollTop + box.clientHeight)
		box.scrollTop = top + table.rowHeight + head - box.clientHeight;
	drawRows();
}

function sortBy(index) {
	const column = table.columns[index];
	table.isDescending = table.sort === index ? !table.isDescending : column.kind !== "name";
	table.sort = index;
	drawHead();
	find();
}

function drawHead() {
	const isFocused = byId("head").contains(document.activeElement);
	byId("head").replaceChildren(...table.columns.map((column, i) => {
		const isSorted = i === table.sort;
		const name = column.kind === "name" ? "" : "number";
		return el("div", { role: "columnheader", class: name + (column.isWide ? " wide" : ""),
			"aria-sort": !isSorted ? "none" : table.isDescending ? "descending" : "ascending" },
		el("button", { type: "button", title: column.help, onclick: () => sortBy(i),
			text: column.title + (isSorted ? table.isDescending ? " ▾" : " ▴" : "") }));
	}));
	if (isFocused)
		byId("head").children[table.sort].firstChild.focus();
}

/* The narrow list has two lines in a row. */
function fitTable() {
	const isWide = matchMedia("(min-width: 721px)").matches;
	byId("table").style.setProperty("--columns",
		table.columns.filter((column) => isWide || !column.isWide).map((column) => column.width).join(" "));
	table.rowHeight = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
	byId("rows").style.height = `${table.found.length * table.rowHeight}px`;
	drawRows();
}

const byPage = () => Math.max(1, Math.floor(byId("table").clientHeight / table.rowHeight) - 2);

const TABLE_KEYS = {
	ArrowDown: () => chooseRow(table.chosen + 1), ArrowUp: () => chooseRow(table.chosen - 1),
	PageDown: () => chooseRow(table.chosen + byPage()), PageUp: () => chooseRow(table.chosen - byPage()),
	Home: () => chooseRow(0), End: () => chooseRow(table.found.length - 1),
	Enter: () => openChosen(), Escape: () => byId("search").focus(),
};

function openChosen() {
	if (table.found.length)
		openDetails(table.found[table.chosen]);
}

const SEARCH_KEYS = {
	ArrowDown: () => byId("table").focus(),
	Enter: () => openChosen(),
	Escape: () => {
		byId("search").value = "";
		find();
	},
};

function addFilter(text, test) {
	const count = plain.format(countRows(test));
	byId("filter").append(el("option", { value: byId("filter").length, text: `${text} (${count})` }));
}

/* Shows what a filter lets through, of what is searched for. */
function showFiltered(index, search) {
	table.filter = index;
	byId("filter").value = index;
	byId("search").value = search;
	find();
	byId("functions").scrollIntoView();
	byId("table").focus({ preventScroll: true });
}

/* One more filter, in the place of the last of that kind. */
function showThose(text, test) {
	const index = table.nrFilters;
	table.filters[index] = [text, test];
	byId("filter").options[index]?.remove();
	addFilter(text, test);
	showFiltered(index, "");
}

function startTable() {
	const filter = byId("filter"), box = byId("table");
	box.setAttribute("aria-colcount", table.columns.length);
	table.nrFilters = table.filters.length;
	table.filters.forEach(([text, test]) => addFilter(text, test));
	byId("jumps").append("Functions: ", ...[...filter.options].slice(1).flatMap((option, i) =>
		[i ? ", " : "", link(option.text, () => showFiltered(i + 1, ""))]));
	filter.addEventListener("change", () => {
		table.filter = Number(filter.value);
		find();
	});
	byId("search").addEventListener("input", find);
	byId("search").addEventListener("keydown", onKeys(SEARCH_KEYS));
	box.addEventListener("scroll", drawIfScrolled);
	box.addEventListener("keydown", (event) => {
		if (event.target === box)
			onKeys(TABLE_KEYS)(event);
	});
	matchMedia("(min-width: 721px)").addEventListener("change", fitTable);
	drawHead();
	find();
	fitTable();
}
