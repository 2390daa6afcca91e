// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All ways by which one function is, or could be, in another: from call to call. What is
 * inside of an inlined function is told in several places of a record:
 *
 *	inlined		the copy has a number, and lines of its own
 *	early		the copy has what the function itself has by the early inliner
 *	within		and where it differs from that, lines of its own
 *
 * so that the calls of one piece of code are those of several views.
 */
#include "why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_PATH 64
/* So many ways are told, first of those that it is in, then of others. */
#define NR_WAYS 30
/* A path has as many refused calls, if there is none with less. */
#define MOST_REFUSED 6
/* Steps until the search is given up: a bad record can ask for more than time allows. */
#define MOST_STEPS 1000000

#define NONE ((size_t)-1)

struct view {
	unsigned body;
	bool is_early_alone; /* what else is told of the body is not so in this copy of it */
};

/* A piece of code: its views are some of those in the search's list. */
struct node {
	size_t first, end;
};

/* Paths of which the same is told: calls of the same functions, decided alike. */
struct way {
	struct keep_entry entry;
	size_t order, count;
	const struct records_call **path; /* of the first */
	struct kiln_strbuf *places;       /* of each call in it */
	size_t length;
};

struct search {
	const struct why_policy *policy;
	const struct records_unit *unit;
	const char *callee;
	size_t *first_calls, *next_calls;   /* by body, by call: the next of the body; or NONE */
	size_t *first_copies, *next_copies; /* the same of copies that are `within` a body */
	bool *leads; /* by body: it is, or some copy of it can have in it, the callee */
	struct view *views;
	size_t nr_views, views_capacity;
	const struct records_call *path[LONGEST_PATH];
	size_t length;
	size_t refused; /* the paths that are looked for have so many refused calls */
	struct keep_table ways;
	size_t nr_found, nr_steps;
	bool failed;
};

/* ---- which call is where ---- */

static bool allocate(struct search *search)
{
	const struct records_unit *unit = search->unit;

	search->first_calls = (size_t *)malloc((unit->nr_bodies + 1) * sizeof(size_t));
	search->next_calls = (size_t *)malloc((unit->nr_calls + 1) * sizeof(size_t));
	search->first_copies = (size_t *)malloc((unit->nr_bodies + 1) * sizeof(size_t));
	search->next_copies = (size_t *)malloc((unit->nr_bodies + 1) * sizeof(size_t));
	search->leads = (bool *)calloc(unit->nr_bodies + 1, sizeof(bool));
	return search->first_calls && search->next_calls && search->first_copies &&
	       search->next_copies && search->leads;
}

static void release(struct search *search)
{
	free(search->first_calls);
	free(search->next_calls);
	free(search->first_copies);
	free(search->next_copies);
	free(search->leads);
	free(search->views);
}

/* From the last to the first, so that lists are in the record's order. */
static void make_lists(struct search *search)
{
	const struct records_unit *unit = search->unit;

	for (size_t i = 0; i < unit->nr_bodies; i++)
		search->first_calls[i] = search->first_copies[i] = NONE;
	for (size_t i = unit->nr_calls; i-- > 0;) {
		search->next_calls[i] = search->first_calls[unit->calls[i].body];
		search->first_calls[unit->calls[i].body] = i;
	}
	for (size_t i = unit->nr_bodies; i-- > 0;) {
		if (!unit->bodies[i].is_within)
			continue;
		search->next_copies[i] = search->first_copies[unit->bodies[i].outer];
		search->first_copies[unit->bodies[i].outer] = i;
	}
}

/* With what it is in. True: that is new. */
static bool mark_body(struct search *search, unsigned body)
{
	const struct records_body *bodies = search->unit->bodies;

	if (search->leads[body])
		return false;
	for (; !search->leads[body]; body = bodies[body].outer)
		search->leads[body] = search->leads[bodies[body].function] = true;
	return true;
}

/* Marks what leads to the callee: each round finds what is a call, or a clone, further away. */
static void find_leads(struct search *search)
{
	const struct records_unit *unit = search->unit;
	bool is_new = true;

	for (unsigned i = 0; i < unit->nr_bodies; i++)
		search->leads[i] =
			unit->bodies[i].outer == i && why_is_named(unit, i, search->callee);
	for (int i = 0; is_new && i < 2 * LONGEST_PATH; i++) {
		is_new = false;
		for (size_t k = unit->nr_calls; k-- > 0;) {
			if (search->leads[unit->calls[k].call.callee])
				is_new |= mark_body(search, unit->calls[k].body);
		}
		for (unsigned k = 0; k < unit->nr_bodies; k++) {
			if (search->leads[unit->bodies[k].origin])
				is_new |= mark_body(search, k);
		}
	}
}

/* ---- views ---- */

static void add_view(struct search *search, unsigned body, bool is_early_alone)
{
	size_t capacity = search->views_capacity ? search->views_capacity * 2 : 256;

	if (search->nr_views == search->views_capacity) {
		struct view *grown =
			(struct view *)realloc(search->views, capacity * sizeof(*grown));

		if (!grown) {
			search->failed = true;
			return;
		}
		search->views = grown;
		search->views_capacity = capacity;
	}
	search->views[search->nr_views++] = (struct view){body, is_early_alone};
}

/* What a copy of the function has by the early inliner: a clone what its origin has. */
static void add_function(struct search *search, unsigned function)
{
	const struct records_body *bodies = search->unit->bodies;

	add_view(search, function, true);
	for (int i = 0; i < LONGEST_PATH && bodies[function].origin != function; i++) {
		function = bodies[function].origin;
		add_view(search, function, true);
	}
}

/* Is there an earlier call in the body that looks the same? */
static bool is_again(const struct search *search, const struct records_call *call)
{
	const struct records_call *calls = search->unit->calls;

	for (size_t i = search->first_calls[call->body]; &calls[i] != call;
	     i = search->next_calls[i]) {
		if (calls[i].fate == RECORDS_EARLY && calls[i].call.callee == call->call.callee &&
		    calls[i].call.line == call->call.line)
			return true;
	}
	return false;
}

/* Calls that look the same have their copies told at the first: which is which is not known. */
static void add_copies(struct search *search, const struct node *node,
		       const struct records_call *call)
{
	const struct records_body *bodies = search->unit->bodies;

	if (is_again(search, call))
		return;
	for (size_t i = node->first; i < node->end && !search->failed; i++) {
		struct view view = search->views[i];

		for (size_t k = search->first_copies[view.body]; k != NONE;
		     k = search->next_copies[k]) {
			if (bodies[k].function == call->call.callee &&
			    bodies[k].line == call->call.line)
				add_view(search, (unsigned)k, view.is_early_alone);
		}
	}
}

/* The code that stands in place of the call or, if it was refused, would. */
static struct node enter(struct search *search, const struct node *node,
			 const struct records_call *call)
{
	struct node inside = {.first = search->nr_views};

	if (call->fate == RECORDS_IPA)
		add_view(search, call->copy, false);
	if (call->fate == RECORDS_REFUSED) {
		add_view(search, call->call.callee, false);
		if (search->unit->bodies[call->call.callee].origin != call->call.callee)
			add_function(search, search->unit->bodies[call->call.callee].origin);
	} else {
		add_function(search, call->call.callee);
	}
	if (call->fate == RECORDS_EARLY)
		add_copies(search, node, call);
	inside.end = search->nr_views;
	return inside;
}

/* ---- what is found ---- */

static size_t count_refused(const struct search *search)
{
	size_t count = 0;

	for (size_t i = 0; i < search->length; i++)
		count += search->path[i]->fate == RECORDS_REFUSED;
	return count;
}

/* Appends the place unless it is there. */
static void add_to_places(struct kiln_strbuf *places, const struct records_unit *unit,
			  const struct records_call *call)
{
	struct kiln_strbuf place;
	const char *found;

	kiln_strbuf_init(&place);
	why_add_place(&place, unit, call);
	places->failed |= place.failed;
	for (found = places->data; (found = strstr(found, place.data)); found += place.length) {
		if (!found[place.length] || found[place.length] == ',')
			break;
	}
	if (!found)
		kiln_strbuf_addf(places, "%s%s", places->length ? ", " : "", place.data);
	kiln_strbuf_release(&place);
}

/* What is told of a call after its places. */
static void add_decision(struct kiln_strbuf *sb, const struct search *search,
			 const struct records_call *call, bool is_last)
{
	const struct records_unit *unit = search->unit;
	bool refused = call->fate == RECORDS_REFUSED;

	kiln_strbuf_addf(sb, "%s%s\n", refused ? "not inlined" : "inlined, ",
			 refused ? "" : why_when(unit, call));
	if (refused)
		why_add_advice(sb, "      ", search->policy, unit, call);
	else if (is_last && !search->refused)
		why_add_way_out(sb, "      ", unit, call);
}

/* What all that is told of a path depends on, but for the places. */
static void add_key(struct kiln_strbuf *sb, const struct search *search, unsigned caller)
{
	const struct records_body *bodies = search->unit->bodies;

	kiln_strbuf_addf(sb, "%s", bodies[caller].name);
	for (size_t i = 0; i < search->length; i++)
		kiln_strbuf_addf(sb, " <- %s", bodies[search->path[i]->call.callee].name);
	for (size_t i = 0; i < search->length; i++) {
		kiln_strbuf_adds(sb, "\n");
		if (search->path[i]->fate == RECORDS_REFUSED)
			why_add_reason(sb, search->path[i]);
		else
			kiln_strbuf_adds(sb, why_when(search->unit, search->path[i]));
	}
}

/* NULL: no memory. */
static struct way *find_way(struct search *search, unsigned caller)
{
	struct kiln_strbuf key;
	struct way *way = NULL;

	kiln_strbuf_init(&key);
	add_key(&key, search, caller);
	if (!key.failed)
		way = (struct way *)keep_table_add(&search->ways, key.data, key.length);
	kiln_strbuf_release(&key);
	if (!way || way->count)
		return way;
	way->places = (struct kiln_strbuf *)calloc(search->length, sizeof(*way->places));
	way->path = (const struct records_call **)calloc(search->length, sizeof(*way->path));
	if (!way->places || !way->path)
		return NULL;
	for (size_t i = 0; i < search->length; i++)
		kiln_strbuf_init(&way->places[i]);
	memcpy(way->path, search->path, search->length * sizeof(*way->path));
	way->length = search->length;
	way->order = search->ways.count;
	return way;
}

static void see_path(struct search *search, unsigned caller)
{
	struct way *way = find_way(search, caller);

	search->nr_found++;
	if (!way) {
		search->failed = true;
		return;
	}
	way->count++;
	for (size_t i = 0; i < way->length; i++) {
		add_to_places(&way->places[i], search->unit, search->path[i]);
		search->failed |= way->places[i].failed;
	}
}

static int by_order(const void *a, const void *b)
{
	const struct way *one = *(const struct way *const *)a;
	const struct way *other = *(const struct way *const *)b;

	return one->order < other->order ? -1 : one->order > other->order;
}

static void print_way(struct search *search, const struct way *way)
{
	const struct records_body *bodies = search->unit->bodies;
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	kiln_strbuf_addf(&sb, "  %s: %.*s", search->refused ? "not in it" : "in it",
			 (int)strcspn(way->entry.text, "\n"), way->entry.text);
	if (way->count > 1)
		kiln_strbuf_addf(&sb, " (%zu times)", way->count);
	kiln_strbuf_adds(&sb, "\n");
	for (size_t i = 0; i < way->length; i++) {
		kiln_strbuf_addf(&sb, "    %s at %s: ", bodies[way->path[i]->call.callee].name,
				 way->places[i].data);
		add_decision(&sb, search, way->path[i], i + 1 == way->length);
	}
	search->failed |= sb.failed;
	fputs(sb.data, stdout);
	kiln_strbuf_release(&sb);
}

/* Those of one number of refusals, and forgets them. */
static void print_ways(struct search *search)
{
	size_t count = search->ways.count;
	struct way **list = (struct way **)keep_table_sorted(&search->ways);

	search->failed |= !list;
	if (list && count)
		qsort(list, count, sizeof(*list), by_order);
	for (size_t i = 0; list && i < count; i++) {
		if (i < NR_WAYS && list[i]->length)
			print_way(search, list[i]);
		for (size_t k = 0; k < list[i]->length; k++)
			kiln_strbuf_release(&list[i]->places[k]);
		free(list[i]->places);
		free(list[i]->path);
	}
	if (count > NR_WAYS)
		printf("  ... and %zu more ways\n", count - NR_WAYS);
	free(list);
	keep_table_release(&search->ways);
}

/* ---- the search ---- */

static bool is_on_path(const struct search *search, const struct records_call *call)
{
	for (size_t i = 0; i < search->length; i++) {
		if (search->path[i] == call || (call->fate == RECORDS_REFUSED &&
						search->path[i]->call.callee == call->call.callee))
			return true;
	}
	return false;
}

static void look(struct search *search, unsigned caller, const struct node *node);

static void follow(struct search *search, unsigned caller, const struct node *node,
		   const struct records_call *call)
{
	size_t before = search->nr_views, refused;
	struct node inside;

	if (!search->leads[call->call.callee] || search->length == LONGEST_PATH ||
	    ++search->nr_steps > MOST_STEPS || is_on_path(search, call))
		return;
	search->path[search->length++] = call;
	refused = count_refused(search);
	/* What is inside of the callee itself is another question. */
	if (why_is_named(search->unit, call->call.callee, search->callee)) {
		if (refused == search->refused)
			see_path(search, caller);
	} else if (refused <= search->refused) {
		inside = enter(search, node, call);
		look(search, caller, &inside);
	}
	search->nr_views = before;
	search->length--;
}

static void look(struct search *search, unsigned caller, const struct node *node)
{
	for (size_t i = node->first; i < node->end; i++) {
		struct view view = search->views[i];

		for (size_t k = search->first_calls[view.body]; k != NONE && !search->failed;
		     k = search->next_calls[k]) {
			const struct records_call *call = &search->unit->calls[k];

			if (!view.is_early_alone || call->fate == RECORDS_EARLY)
				follow(search, caller, node, call);
		}
	}
}

/* First what is in it, then what would be if one decision were another one, and so on. */
static void look_for_all(struct search *search, unsigned caller)
{
	struct node node = {.first = 0};

	add_view(search, caller, false);
	if (search->unit->bodies[caller].origin != caller)
		add_function(search, search->unit->bodies[caller].origin);
	node.end = search->nr_views;
	for (size_t refused = 0; refused <= MOST_REFUSED; refused++) {
		search->refused = refused;
		if (refused < 2 || !search->nr_found)
			look(search, caller, &node);
		print_ways(search);
	}
}

bool why_print_paths(const struct why_policy *policy, const struct records_unit *unit,
		     unsigned caller, const char *callee, bool *ret_found)
{
	struct search search = {.policy = policy, .unit = unit, .callee = callee};

	keep_table_init(&search.ways, sizeof(struct way));
	search.failed = !allocate(&search);
	printf("%s: %s in %s\n", unit->name, callee, unit->bodies[caller].name);
	if (!search.failed) {
		make_lists(&search);
		find_leads(&search);
		look_for_all(&search, caller);
	}
	if (search.nr_steps > MOST_STEPS)
		puts("  (there may be more: the search was given up after a million steps)");
	if (!search.nr_found && !search.failed)
		printf("  no call of it is there, in %s or in what is called from it in this "
		       "unit\n",
		       unit->bodies[caller].name);
	*ret_found = search.nr_found;
	release(&search);
	return !search.failed;
}
