// SPDX-License-Identifier: GPL-2.0
/*
 * What "make torture" found: reads what the guests and their kernels have said, prints a
 * table and writes summary.json.
 *
 *	summary DIRECTORY SEED SECONDS
 *	Libraries: -ljson-c
 *
 * GUEST.out has lines of jobs (see guest.sh), GUEST.console the kernel's messages with a
 * line where each job begins, GUEST.status the exit status of run.sh. Exit status: 0
 * nothing found, 1 something, 2 usage.
 */
#include <dirent.h>
#include <json-c/json.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_MAX	256
#define COUNTS_MAX	64

/* What a healthy kernel never says; its first line names the splat. */
static const char splat_re[] =
	"WARNING: |BUG: |BUG at |Oops|UBSAN: |ODEBUG: |INFO: (task|rcu|trying|possible)|Kernel panic|"
	"general protection|double fault|refcount_t: |suspicious RCU|waiting for .* to become free|"
	"soft lockup|hung task|Object [0-9a-fx]+ @|Redzone|invalid opcode|stack guard page|"
	"bad: scheduling from|scheduling while atomic|leaked reference|ref_tracker: ";
/*
 * A data race is ours when one of the two functions is in one of our modules. rxe's own
 * are told apart by hand: much of that code is upstream's.
 */
static const char race_re[] = "BUG: KCSAN: ";
static const char ours_re[] = "\\[(rxe_cc|roce_cc|sch_roce|roce_watch|rdma_rxe)";

struct count {
	char name[32];
	unsigned long long n;
};

struct job {
	char guest[64], name[32];
	struct count counts[COUNTS_MAX];
	int ncounts, status, seconds, fails, leaks, splats, races, foreign;
	bool ended;
};

static struct job jobs[JOBS_MAX];
static int njobs;
static regex_t splat, race, ours;
static struct json_object *found;	/* all findings, in the order of the logs */

static struct job *add_job(const char *guest, const char *name)
{
	struct job *j = &jobs[njobs];

	if (njobs == JOBS_MAX - 1)
		return j;
	njobs++;
	snprintf(j->guest, sizeof(j->guest), "%.63s", guest);
	snprintf(j->name, sizeof(j->name), "%.31s", name);
	return j;
}

static struct job *find_job(const char *guest, const char *name)
{
	int i;

	for (i = 0; i < njobs; i++)
		if (!strcmp(jobs[i].guest, guest) && !strcmp(jobs[i].name, name))
			return &jobs[i];
	return NULL;
}

static void add_count(struct job *j, const char *name, unsigned long long n)
{
	int i;

	for (i = 0; i < j->ncounts; i++)
		if (!strcmp(j->counts[i].name, name))
			break;
	if (i == COUNTS_MAX)
		return;
	if (i == j->ncounts)
		snprintf(j->counts[j->ncounts++].name, sizeof(j->counts[0].name), "%s", name);
	j->counts[i].n += n;
}

static unsigned long long counted(const struct job *j, const char *name)
{
	int i;

	for (i = 0; i < j->ncounts; i++)
		if (!strcmp(j->counts[i].name, name))
			return j->counts[i].n;
	return 0;
}

static void finding(const struct job *j, const char *kind, const char *text)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "guest", json_object_new_string(j->guest));
	json_object_object_add(o, "job", json_object_new_string(j->name));
	json_object_object_add(o, "kind", json_object_new_string(kind));
	json_object_object_add(o, "text", json_object_new_string(text));
	json_object_array_add(found, o);
}

static void read_out(const char *dir, const char *guest)
{
	char path[4096], line[4096], name[32];
	struct job *j = NULL;
	unsigned long long n;
	int status, seconds;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.out", dir, guest);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\r\n")] = 0;
		if (sscanf(line, "@job %31s", name) == 1) {
			j = add_job(guest, name);
		} else if (!j) {
			continue;
		} else if (sscanf(line, "@count %31s %llu", name, &n) == 2) {
			add_count(j, name, n);
		} else if (!strncmp(line, "@fail ", 6)) {
			j->fails++;
			finding(j, "failed", line + 6);
		} else if (sscanf(line, "@leak %llu", &n) == 1) {
			j->leaks += n;
			finding(j, "leak", line + 6);
		} else if (sscanf(line, "@end %31s %d %d", name, &status, &seconds) == 3) {
			j->ended = true;
			j->status = status;
			j->seconds = seconds;
		}
	}
	if (f)
		fclose(f);
}

static bool matches(const regex_t *re, const char *line)
{
	return !regexec(re, line, 0, NULL, 0);
}

static void read_console(const char *dir, const char *guest)
{
	char path[4096], line[4096], name[32], last[256] = "";
	struct job *j, *boot = NULL;
	const char *mark;
	int quiet = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.console", dir, guest);
	f = fopen(path, "r");
	if (!f)
		return;
	boot = add_job(guest, "boot");
	j = boot;
	boot->ended = true;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\r\n")] = 0;
		mark = strstr(line, "torture: job ");
		if (mark && sscanf(mark, "torture: job %31s", name) == 1 && find_job(guest, name)) {
			j = find_job(guest, name);
			quiet = 0;
			continue;
		}
		/* What tells of the same splat. */
		if (quiet > 0) {
			quiet--;
			if (strstr(line, "---[ end trace") || strstr(line, "======"))
				quiet = quiet > 2 ? 2 : quiet;
			continue;
		}
		if (strstr(line, "torture: ") || !matches(&splat, line))
			continue;
		snprintf(last, sizeof(last), "%.200s", line);
		if (matches(&race, line)) {
			if (matches(&ours, line)) {
				j->races++;
				finding(j, "race", last);
			} else {
				j->foreign++;
			}
			continue;
		}
		j->splats++;
		finding(j, "splat", last);
		quiet = 60;
	}
	fclose(f);
	if (!boot->splats && !boot->races && !boot->foreign && boot == &jobs[njobs - 1])
		njobs--;
}

static void read_guest(const char *dir, const char *guest)
{
	char path[4096], text[64];
	int status = -1, first = njobs, i;
	bool ended = true;
	FILE *f;

	read_out(dir, guest);
	for (i = first; i < njobs; i++) {
		if (!jobs[i].ended) {
			jobs[i].fails++;
			finding(&jobs[i], "hang", "the job has no end");
			ended = false;
		} else if (jobs[i].status) {
			jobs[i].fails++;
			snprintf(text, sizeof(text), "exit status %d", jobs[i].status);
			finding(&jobs[i], "failed", text);
		}
	}
	read_console(dir, guest);
	snprintf(path, sizeof(path), "%s/%s.status", dir, guest);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%d", &status) != 1)
		status = -1;
	if (f)
		fclose(f);
	/* 125 is a complaint, which has been counted. */
	if (first == njobs || (status && status != 125 && ended)) {
		struct job *j = add_job(guest, "boot");

		j->fails++;
		snprintf(text, sizeof(text), "run.sh: exit status %d", status);
		finding(j, "failed", text);
	}
}

static struct json_object *job_json(const struct job *j)
{
	struct json_object *o = json_object_new_object(), *c = json_object_new_object();
	int i;

	for (i = 0; i < j->ncounts; i++)
		json_object_object_add(c, j->counts[i].name, json_object_new_int64(j->counts[i].n));
	json_object_object_add(o, "guest", json_object_new_string(j->guest));
	json_object_object_add(o, "job", json_object_new_string(j->name));
	json_object_object_add(o, "seconds", json_object_new_int(j->seconds));
	json_object_object_add(o, "counts", c);
	json_object_object_add(o, "splats", json_object_new_int(j->splats));
	json_object_object_add(o, "leaks", json_object_new_int(j->leaks));
	json_object_object_add(o, "races", json_object_new_int(j->races));
	json_object_object_add(o, "races_elsewhere", json_object_new_int(j->foreign));
	json_object_object_add(o, "failed", json_object_new_int(j->fails));
	return o;
}

static void print_table(void)
{
	int i;

	printf("%-10s %-10s %6s %10s %10s %8s %8s %7s %6s %6s %6s %6s\n",
	       "guest", "job", "s", "operations",
	       "packets", "qps", "dumps", "faults", "splats", "leaks", "stuck", "failed");
	for (i = 0; i < njobs; i++) {
		const struct job *j = &jobs[i];

		printf("%-10s %-10s %6d %10llu %10llu %8llu %8llu %7llu %6d %6d %6llu %6d\n",
		       j->guest, j->name, j->seconds, counted(j, "operations"),
		       counted(j, "packets"), counted(j, "qps"),
		       counted(j, "dumps"), counted(j, "faults"), j->splats + j->races, j->leaks,
		       counted(j, "stuck"), j->fails);
	}
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_out(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return dot && !strcmp(dot, ".out");
}

int main(int argc, char **argv)
{
	struct json_object *o, *list;
	struct dirent **names;
	char path[4096];
	int i, n, bad = 0;

	if (argc != 4) {
		fprintf(stderr, "summary: directory, seed and seconds, please\n");
		return 2;
	}
	n = scandir(argv[1], &names, is_out, by_name);
	if (n < 0 || regcomp(&splat, splat_re, REG_EXTENDED | REG_NOSUB) ||
	    regcomp(&race, race_re, REG_EXTENDED | REG_NOSUB) ||
	    regcomp(&ours, ours_re, REG_EXTENDED | REG_NOSUB)) {
		fprintf(stderr, "summary: %s cannot be read\n", argv[1]);
		return 2;
	}
	found = json_object_new_array();
	for (i = 0; i < n; i++) {
		*strrchr(names[i]->d_name, '.') = 0;
		read_guest(argv[1], names[i]->d_name);
	}
	list = json_object_new_array();
	for (i = 0; i < njobs; i++) {
		bad += jobs[i].fails + jobs[i].splats + jobs[i].races + jobs[i].leaks;
		bad += !!counted(&jobs[i], "stuck");
		json_object_array_add(list, job_json(&jobs[i]));
	}
	print_table();
	n = json_object_array_length(found);
	for (i = 0; i < n; i++) {
		struct json_object *f = json_object_array_get_idx(found, i);

		printf("%s %s: %s: %s\n",
		       json_object_get_string(json_object_object_get(f, "guest")),
		       json_object_get_string(json_object_object_get(f, "job")),
		       json_object_get_string(json_object_object_get(f, "kind")),
		       json_object_get_string(json_object_object_get(f, "text")));
	}
	o = json_object_new_object();
	json_object_object_add(o, "seed", json_object_new_string(argv[2]));
	json_object_object_add(o, "seconds", json_object_new_int(atoi(argv[3])));
	json_object_object_add(o, "jobs", list);
	json_object_object_add(o, "found", found);
	snprintf(path, sizeof(path), "%s/summary.json", argv[1]);
	if (json_object_to_file_ext(path, o, JSON_C_TO_STRING_PRETTY)) {
		fprintf(stderr, "summary: %s cannot be written\n", path);
		return 1;
	}
	json_object_put(o);
	printf("%s\n", bad ? "torture: FAILED" : "torture: nothing found");
	return bad ? 1 : 0;
}
