// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- light and dark ---- */

const THEMES = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };

/* Storage may be forbidden for a file. */
function remembered() {
	try {
		return localStorage.getItem("kiln-theme");
	} catch {
		return null;
	}
}

function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	byId("theme").textContent = THEMES[theme];
	try {
		localStorage.setItem("kiln-theme", theme);
	} catch { /* it holds until the page is closed */ }
}

function startTheme() {
	const names = Object.keys(THEMES);
	setTheme(THEMES[remembered()] ? remembered() : "auto");
	byId("theme").addEventListener("click", () => {
		const at = names.indexOf(document.documentElement.dataset.theme);
		setTheme(names[(at + 1) % names.length]);
	});
}

/* ---- what comes first ---- */

const SIDE_NAMES = ["A", "B"];

function sideName(side) {
	return isTwo ? `${SIDE_NAMES[side]}: ${builds[side].name}` : builds[side].name;
}

function showTitle() {
	const title = data.title || builds.map((build) => build.name).join(" and ");
	document.title = `${title} – Kiln report`;
	byId("title").textContent = title;
	byId("builds").textContent = isTwo ? builds.map((_, side) => sideName(side)).join(", ") :
		"What GCC inlined in a build, and what it refused";
}

function notesOf(build, side) {
	const of = isTwo ? `${SIDE_NAMES[side]}: ` : "";
	const some = build.unread.slice(0, 5).join(", ") + (build.unread.length > 5 ? " …" : "");
	const notes = [];
	if (build.missing)
		notes.push(`${of}${plural(build.missing, "object")} made with the plugin without a record: ` +
			"nothing on this page is of them. A compiler cache that had them gives no records.");
	if (build.damaged)
		notes.push(`${of}${plural(build.damaged, "unit")} left out, for the record is damaged ` +
			"or of another version.");
	if (build.unread.length)
		notes.push(`${of}${plural(build.unread.length, "unit")} without an object that could be read. ` +
			`Sizes there are GCC’s estimates and no bytes, marked with ≈: ${some}`);
	return notes;
}

function showNotes() {
	byId("notes").append(...builds.flatMap(notesOf).map((text) => el("p", { class: "note", text })));
}

function card(name, values, more) {
	const value = values.map((number) => plain.format(number)).join(" → ");
	const by = isTwo && values[0] !== values[1] ? change(values[0], values[1]) : "";
	byId("cards").append(el("div", {}, el("dt", { text: name }), el("dd", { class: "value", text: value }),
		by || more ? el("dd", { class: "faint", text: [by, more].filter(Boolean).join("; ") }) : null));
}

function countRows(test) {
	return rows.reduce((count, row) => count + (test(row) ? 1 : 0), 0);
}

function showSummary() {
	const total = (key) => builds.map((build) => build.totals[key]);
	const parts = (keys) => isTwo ? "" :
		keys.map(([key, word]) => `${word} ${plain.format(builds[0].totals[key])}`).join(", ");
	const sums = SIDES.map((side) => rows.reduce((sum, row) => sum + row.sizes[side], 0));
	const isEstimate = builds.some((build) => build.unread.length);

	card("Function text, bytes", sums, isEstimate ? "in part estimated" : "");
	card("Units", builds.map((build) => build.units));
	const nrSymbols = countRows((row) => !isTwo && row.sides[0].how & HOW.symbol);
	card("Functions put out", total("functions"), parts([["clones", "clones"]]) +
		(nrSymbols ? `; besides them ${plural(nrSymbols, "symbol")} of assembler` : ""));
	card("With an mcount site", total("traceable"));
	card("Calls inlined", SIDES.map((side) => ["always_inline", "early", "ipa"]
		.reduce((sum, key) => sum + builds[side].totals[key], 0)),
	parts([["always_inline", "always_inline"], ["early", "early"], ["ipa", "by IPA"]]));
	card("Calls refused", total("refused"));
	card("Size before inlining, GCC’s guess", total("size_before"));
	card("Size after it", total("size_after"), isTwo ? "" :
		change(builds[0].totals.size_before, builds[0].totals.size_after));
	card("Largest frame, bytes", total("frame"));
	card("Kept by rules", total("kept"));
	card("Left alone", total("left"), isTwo ? "" : "inline functions of headers among them");
}

function flagsRow(side, flags, units) {
	return el("tr", {}, isTwo ? el("td", { text: SIDE_NAMES[side] }) : null,
		el("td", { class: "number", text: plural(units, "unit") }), el("td", { class: "code", text: flags }));
}

/* Only where they differ: what all units have in common is no news. */
function showFlags() {
	const all = new Set(builds.flatMap((build) => build.flags.map(([flags]) => flags)));
	const lines = builds.flatMap((build, side) => build.flags.map((entry) => flagsRow(side, ...entry)));
	if (all.size > 1)
		byId("flags").append(el("h3", { text: "Flags that steer inlining differ" }),
			el("div", { class: "list" }, el("table", {}, lines)));
}
