// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- map: directories, files and functions, as large as their text ---- */

function newNode(name, path, parent) {
	return { name, path, parent, sizes: SIDES.map(() => 0), before: 0, after: 0, children: new Map() };
}

function childOf(node, name, path) {
	if (!node.children.has(name))
		node.children.set(name, newNode(name, path, node));
	return node.children.get(name);
}

/* The node of a unit. EACH(node) on the way, the unit's and the root among them. */
function walkTo(root, unit, each) {
	const parts = unit.split("/");
	let node = root, path = "";
	each(root);
	for (const [i, part] of parts.entries()) {
		path += part + (i < parts.length - 1 ? "/" : "");
		node = childOf(node, part || "/", path);
		each(node);
	}
	return node;
}

function addRow(root, row) {
	const addSizes = (node) => SIDES.forEach((side) => { node.sizes[side] += row.sizes[side]; });
	const node = childOf(walkTo(root, row.unit, addSizes), row.key, row.key);
	const [one] = row.sides;
	addSizes(node);
	node.name = row.name;
	node.row = row;
	if (!isTwo && one.how & HOW.isLeft)
		[node.before, node.after] = [one.before, one.after];
}

/* With estimates of what nothing is left of, as in sums of a build. */
function makeTree() {
	const root = newNode("all", "", null);
	for (const row of rows.filter((row) => row.sizes.some(Boolean)))
		addRow(root, row);
	for (const unit of isTwo ? [] : units)
		walkTo(root, unit.name, (node) => {
			node.before += unit.before;
			node.after += unit.after;
		});
	return root;
}

const map = { root: makeTree(), node: null, side: builds.length - 1, chosen: 0 };

/*
 * Splits a rectangle in rows along its shorter side, so that what is in them gets as square as
 * it can: "Squarified Treemaps" of Bruls, Huizing and van Wijk. ITEMS: the largest first.
 */
function squarify(items, x, y, width, height, place) {
	let sum = items.reduce((all, item) => all + item.size, 0);
	for (let start = 0; start < items.length && width > 0 && height > 0;) {
		const side = Math.min(width, height), scale = width * height / sum;
		let end = start, inRow = 0, worst = Infinity;
		while (end < items.length) {
			const more = inRow + items[end].size, thick = more * scale / side;
			const ratio = Math.max(thick * thick / (items[end].size * scale),
				items[start].size * scale / (thick * thick));
			if (ratio > worst)
				break;
			worst = ratio;
			inRow = more;
			end++;
		}
		const thick = inRow * scale / side;
		for (let at = 0; start < end; start++) {
			const long = items[start].size * scale / thick;
			if (width < height)
				place(items[start], x + at, y, long, thick);
			else
				place(items[start], x, y + at, thick, long);
			at += long;
		}
		[x, y, width, height] = width < height ? [x, y + thick, width, height - thick] :
			[x + thick, y, width - thick, height];
		sum -= inRow;
	}
}

const MOST_TILES = 300;

/* The largest first; what is too small to be seen is one tile, or none. */
function tilesOf(node, most) {
	const all = [...node.children.values()].map((child) => ({ node: child, size: child.sizes[map.side] }))
		.filter((tile) => tile.size > 0)
		.sort((a, b) => b.size - a.size || (a.node.path < b.node.path ? -1 : 1));
	const rest = all.splice(most);
	if (rest.length)
		all.push({ count: rest.length, size: rest.reduce((sum, tile) => sum + tile.size, 0) });
	return all;
}

/* Of two builds, a difference of a quarter and more has the full colour; of one, nothing has. */
function shareOf(node) {
	const [before, after] = isTwo ? node.sizes : [node.before, node.after];
	return (after - before) / (Math.max(before, after) || 1) * (isTwo ? 4 : 1);
}

function heat(element, node) {
	const share = node ? shareOf(node) : 0;
	element.style.setProperty("--heat", String(Math.round(Math.min(1, Math.abs(share)) * 100)));
	element.style.setProperty("--heat-colour", share < 0 ? "var(--shrink)" : "var(--grow)");
	return element;
}

function fits(text, width) {
	const most = Math.floor((width - 8) / 7);
	if (most < 3)
		return "";
	return text.length <= most ? text : text.slice(0, most - 1) + "…";
}

function sizeText(node) {
	const about = node.row?.isEstimate ? "≈ " : "";
	const { sizes, before, after } = node;
	if (isTwo)
		return `${about}${sizes.map((size) => plain.format(size)).join(" → ")} bytes, ${change(...sizes)}`;
	const growth = `${plain.format(before)} → ${plain.format(after)}, ${change(before, after)}`;
	return `${about}${plain.format(sizes[0])} bytes` +
		(after ? `; by inlining, GCC’s estimate, ${growth}` : "");
}

function drawInner(tile, x, y, width, height) {
	return [heat(svg("rect", { class: "inner", x, y, width, height }), tile.node), height > 16 ?
		svg("text", { class: "small", x: x + 4, y: y + 13, text: fits(tileName(tile), width) }) : null];
}

/* What is in a tile can be seen before it is opened. */
function innerTiles(node, x, y, width, height) {
	const inner = [];
	if (node && node.children.size && width > 60 && height > 50)
		squarify(tilesOf(node, 40), x + 3, y + 34, width - 6, height - 37,
			(tile, ...at) => inner.push(...drawInner(tile, ...at)));
	return inner;
}

function tileName(tile) {
	return tile.node ? tile.node.name + (tile.node.children.size && !isFile(tile.node) ? "/" : "") :
		`${plain.format(tile.count)} more`;
}

function isFile(node) {
	return node.children.size > 0 && [...node.children.values()][0].row !== undefined;
}

function drawTile(tile, x, y, width, height) {
	const name = tileName(tile), size = plain.format(tile.size);
	const about = tile.node ? sizeText(tile.node) : `${size} bytes`;
	const line = (below, text, small) =>
		svg("text", { class: small, x: x + 5, y: y + below, text: fits(text, width) });
	const element = svg("g", { class: "tile", role: "button", tabindex: -1,
		"aria-label": `${name}: ${about}`, onclick: () => { enter(tile.node); } },
	svg("title", { text: `${name}\n${about}` }),
	heat(svg("rect", { x, y, width, height }), tile.node),
	...innerTiles(tile.node, x, y, width, height),
	height > 16 ? line(14, name) : null,
	height > 32 ? line(28, size, "small") : null,
	svg("rect", { class: "ring", x: x + 2, y: y + 2,
		width: Math.max(0, width - 4), height: Math.max(0, height - 4) }));
	return { element, node: tile.node, x: x + width / 2, y: y + height / 2 };
}

function drawMap(takesFocus) {
	const box = byId("tree").getBoundingClientRect();
	const image = svg("svg", { viewBox: `0 0 ${box.width} ${box.height}`, role: "group",
		"aria-label": "Map: arrows move, Enter opens, Escape goes up" });
	map.tiles = [];
	squarify(tilesOf(map.node, MOST_TILES), 0, 0, box.width, box.height,
		(tile, ...at) => map.tiles.push(drawTile(tile, ...at)));
	image.append(...map.tiles.map((tile) => tile.element));
	byId("tree").replaceChildren(image);
	drawCrumbs();
	chooseTile(Math.min(map.chosen, map.tiles.length - 1), takesFocus);
}

function chooseTile(index, takesFocus) {
	map.tiles[map.chosen]?.element.setAttribute("tabindex", -1);
	map.chosen = Math.max(0, index);
	map.tiles[map.chosen]?.element.setAttribute("tabindex", 0);
	if (takesFocus)
		map.tiles[map.chosen]?.element.focus();
}

function enter(node, takesFocus) {
	if (!node)
		return;
	if (node.row) {
		openDetails(node.row);
		return;
	}
	map.node = node;
	map.chosen = 0;
	drawMap(takesFocus);
}

function goUp() {
	const from = map.node;
	if (!from.parent)
		return;
	map.node = from.parent;
	drawMap(false);
	chooseTile(map.tiles.findIndex((tile) => tile.node === from), true);
}

function drawCrumbs() {
	const path = [];
	for (let node = map.node; node; node = node.parent)
		path.unshift(node);
	byId("crumbs").replaceChildren(...path.flatMap((node, i) => {
		const name = i ? node.name : "all";
		const last = i === path.length - 1;
		return [i ? " / " : "", last ? el("strong", { text: name, "aria-current": "true" }) :
			link(name, () => enter(node, true))];
	}), el("span", { class: "faint", text: ` ${sizeText(map.node)} ` }),
	map.node.parent ? link("List its functions", () => showFiltered(0, map.node.path)) : "");
}

/* The nearest tile in the arrow's direction: what is aside of it counts as twice as far. */
function moveInMap(dx, dy) {
	const from = map.tiles[map.chosen];
	let best = -1, nearest = Infinity;
	for (const [i, tile] of map.tiles.entries()) {
		const along = (tile.x - from.x) * dx + (tile.y - from.y) * dy;
		const aside = Math.abs((tile.x - from.x) * dy) + Math.abs((tile.y - from.y) * dx);
		if (along > 0.5 && along + 2 * aside < nearest) {
			nearest = along + 2 * aside;
			best = i;
		}
	}
	if (best >= 0)
		chooseTile(best, true);
}

const enterChosen = () => enter(map.tiles[map.chosen]?.node, true);

const MAP_KEYS = {
	ArrowRight: () => moveInMap(1, 0), ArrowLeft: () => moveInMap(-1, 0),
	ArrowDown: () => moveInMap(0, 1), ArrowUp: () => moveInMap(0, -1),
	Enter: enterChosen, " ": enterChosen, Escape: goUp, Backspace: goUp,
};

function onKeys(keys) {
	return (event) => {
		if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		keys[event.key](event);
	};
}

function startMap() {
	const area = byId("area");
	map.node = map.root;
	byId("tree").addEventListener("keydown", onKeys(MAP_KEYS));
	byId("area-label").hidden = !isTwo;
	area.append(...SIDES.map((side) =>
		el("option", { value: side, text: `size in ${SIDE_NAMES[side]}` })));
	area.value = map.side;
	area.addEventListener("change", () => {
		map.side = Number(area.value);
		drawMap(false);
	});
	const colour = (name, text) => el("span", { class: "whole" }, el("i", { class: name }), text);
	byId("legend").append("Areas are bytes of function symbols; colours: ",
		colour("grow", isTwo ? "larger in B" : "grew by inlining, by GCC’s estimate"),
		colour("shrink", isTwo ? "smaller" : "shrank"), colour("", "as before"));
	new ResizeObserver(() => drawMap(false)).observe(byId("tree"));
}
