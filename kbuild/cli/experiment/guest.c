// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * arm64's `max` would have pointer authentication, whose emulation takes half the time. How
 * fast a timer of x86 seems to be depends on the host, unless the kernel is told to trust it.
 */
static const struct guest_arch arches[] = {
	{"x86_64", "arch/x86/boot/bzImage", "qemu-system-x86_64", "pc,hpet=off",
	 "max,-rdrand,-rdseed", "console=ttyS0 tsc=reliable no_timer_check", EM_X86_64},
	{"arm64", "arch/arm64/boot/Image", "qemu-system-aarch64", "virt,dtb-randomness=off",
	 "neoverse-n1", "console=ttyAMA0", EM_AARCH64},
};

#define NR_ARCHES (sizeof(arches) / sizeof(arches[0]))

/* One processor; what could differ from run to run is fixed. */
#define MACHINE                                                                                \
	"-accel tcg -icount shift=0,sleep=off -smp 1 -m 1024 -seed 1 "                         \
	"-rtc base=2024-01-01T00:00:00,clock=vm -nodefaults -no-reboot -display none -serial " \
	"stdio"
#define APPEND "panic=-1 quiet norandmaps nokaslr lpj=1000000"

/* ---- the kernel ---- */

/*
 * Documentation/x86/boot.rst: "HdrS" is at 0x202; Documentation/arm64/booting.rst: "ARM\x64"
 * is at 56.
 */
static const struct guest_arch *image_arch(int fd)
{
	char head[0x206] = {0};

	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return NULL;
	if (!memcmp(head + 0x202, "HdrS", 4))
		return &arches[0];
	return memcmp(head + 56, "ARM\x64", 4) ? NULL : &arches[1];
}

static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* The image in the directory of a build; the newer one if there is one for each architecture. */
static enum cli_status find_in_directory(struct guest *guest, const char *directory)
{
	struct timespec newest = {0};
	struct stat status;

	for (size_t i = 0; i < NR_ARCHES; i++) {
		struct kiln_strbuf path;

		kiln_strbuf_init(&path);
		kiln_strbuf_addf(&path, "%s/%s", directory, arches[i].image);
		if (!stat(path.data, &status) && status.st_mtim.tv_sec >= newest.tv_sec) {
			newest = status.st_mtim;
			kiln_strbuf_reset(&guest->image);
			kiln_strbuf_adds(&guest->image, path.data);
		}
		guest->image.failed |= path.failed;
		kiln_strbuf_release(&path);
	}
	if (guest->image.failed)
		return cli_no_memory();
	if (!guest->image.length)
		return cli_trouble("'%s' has no kernel that can be booted: neither %s nor %s",
				   directory, arches[0].image, arches[1].image);
	return CLI_OK;
}

static enum cli_status find_image(struct guest *guest, const char *path)
{
	enum cli_status status = CLI_OK;
	int fd;

	if (is_directory(path))
		status = find_in_directory(guest, path);
	else
		kiln_strbuf_adds(&guest->image, path);
	if (status != CLI_OK)
		return status;
	fd = open(guest->image.data, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return cli_trouble("'%s' cannot be read: %s", guest->image.data, strerror(errno));
	guest->arch = image_arch(fd);
	close(fd);
	if (!guest->arch)
		return cli_trouble("'%s' is neither a bzImage of x86_64 nor an Image of arm64",
				   guest->image.data);
	return CLI_OK;
}

/* ---- the workload ---- */

static bool is_for(const char *path, unsigned machine)
{
	Elf64_Ehdr head;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
		  !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_machine == machine;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Beside the plugins: as they are built, and as they are installed. */
static enum cli_status find_workload(const struct guest_arch *arch, struct kiln_strbuf *ret_path)
{
	static const char *const places[] = {"/*/workload", "/lib/kiln/*/workload"};
	struct kiln_strbuf pattern;
	enum cli_status status;

	kiln_strbuf_init(&pattern);
	status = cli_find_prefix(&pattern);
	for (size_t i = 0, length = pattern.length; status == CLI_OK && i < 2; i++) {
		glob_t found = {0};

		kiln_strbuf_truncate(&pattern, length);
		kiln_strbuf_adds(&pattern, places[i]);
		if (!glob(pattern.data, 0, NULL, &found)) {
			for (size_t f = 0; f < found.gl_pathc && !ret_path->length; f++) {
				if (is_for(found.gl_pathv[f], arch->elf_machine))
					kiln_strbuf_adds(ret_path, found.gl_pathv[f]);
			}
		}
		globfree(&found);
	}
	if (status == CLI_OK && (pattern.failed || ret_path->failed))
		status = cli_no_memory();
	if (status == CLI_OK && !ret_path->length)
		status = cli_trouble(
			"there is no workload for %s: build it with 'make PLUGIN_CC=CC', CC "
			"being a compiler for %s",
			arch->name, arch->name);
	kiln_strbuf_release(&pattern);
	return status;
}

/* ---- the initramfs ---- */

/*
 * An entry of a cpio archive of the kind that the kernel reads ("newc" of
 * Documentation/driver-api/early-userspace/buffer-format.rst); times and owners are 0.
 */
static void add_entry(struct kiln_strbuf *archive, const char *name, unsigned mode,
		      unsigned minor_device, const struct kiln_strbuf *content)
{
	static const char zeros[4] = {0};
	unsigned long size = content ? content->length : 0;

	/* ino mode uid gid nlink mtime filesize major minor rmajor rminor namesize check */
	kiln_strbuf_addf(archive, "070701%08x%08x%08x%08x%08x%08x%08lx%08x%08x%08x%08x%08zx%08x", 1,
			 mode, 0, 0, 1, 0, size, 0, 0, minor_device ? 5 : 0, minor_device,
			 strlen(name) + 1, 0);
	kiln_strbuf_add(archive, name, strlen(name) + 1);
	kiln_strbuf_add(archive, zeros, -archive->length % 4);
	if (content)
		kiln_strbuf_add(archive, content->data, content->length);
	kiln_strbuf_add(archive, zeros, -archive->length % 4);
}

static enum cli_status write_archive(struct guest *guest, const struct kiln_strbuf *workload)
{
	struct kiln_strbuf archive;
	enum cli_status status = CLI_OK;

	kiln_strbuf_init(&archive);
	add_entry(&archive, "dev", S_IFDIR | 0755, 0, NULL);
	add_entry(&archive, "dev/console", S_IFCHR | 0600, 1, NULL);
	add_entry(&archive, "init", S_IFREG | 0755, 0, workload);
	add_entry(&archive, "TRAILER!!!", 0, 0, NULL);
	if (archive.failed)
		status = cli_no_memory();
	/* QEMU inherits it. */
	guest->initramfs = status == CLI_OK ? memfd_create("initramfs", 0) : -1;
	if (status == CLI_OK &&
	    (guest->initramfs < 0 || kiln_strbuf_write_fd(&archive, guest->initramfs)))
		status = cli_trouble("the initramfs cannot be written: %s", strerror(errno));
	kiln_strbuf_release(&archive);
	return status;
}

static enum cli_status make_initramfs(struct guest *guest)
{
	struct kiln_strbuf path, workload;
	enum cli_status status;
	int fd = -1;

	kiln_strbuf_init(&path);
	kiln_strbuf_init(&workload);
	status = find_workload(guest->arch, &path);
	if (status == CLI_OK) {
		fd = open(path.data, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || kiln_strbuf_read_fd(&workload, fd))
			status = cli_trouble("'%s' cannot be read: %s", path.data, strerror(errno));
	}
	if (status == CLI_OK)
		status = write_archive(guest, &workload);
	if (fd >= 0)
		close(fd);
	kiln_strbuf_release(&workload);
	kiln_strbuf_release(&path);
	return status;
}

enum cli_status guest_init(struct guest *guest, const char *path)
{
	enum cli_status status;

	*guest = (struct guest){.initramfs = -1};
	kiln_strbuf_init(&guest->image);
	status = find_image(guest, path);
	return status == CLI_OK ? make_initramfs(guest) : status;
}

void guest_release(struct guest *guest)
{
	if (guest->initramfs >= 0)
		close(guest->initramfs);
	kiln_strbuf_release(&guest->image);
}

/* ---- the machine ---- */

static enum cli_status run(const struct guest *guest, const struct cli_words *words,
			   struct kiln_strbuf *out)
{
	int status = cli_run(words, CLI_TAKE_OUT, out);

	if (status < 0)
		return CLI_TROUBLE;
	if (status == 124)
		return cli_trouble("'%s' has not come to its end after %d s", guest->image.data,
				   GUEST_LIMIT_S);
	return status ? cli_trouble("%s ended with status %d", guest->arch->qemu, status) : CLI_OK;
}

enum cli_status guest_run(const struct guest *guest, const char *cpu, struct kiln_strbuf *out)
{
	const struct guest_arch *arch = guest->arch;
	struct cli_words words, machine;
	char program[4096];
	enum cli_status status;

	if (!cli_find_program(arch->qemu, program, sizeof(program)))
		return cli_trouble(
			"'%s' is not installed (Debian: qemu-system-x86, qemu-system-arm)",
			arch->qemu);
	cli_words_init(&words, "timeout");
	cli_words_add(&words, "%d", GUEST_LIMIT_S);
	cli_words_add(&words, "%s", program);
	cli_words_init(&machine, MACHINE);
	cli_words_add_all(&words, &machine);
	cli_words_add(&words, "-machine");
	cli_words_add(&words, "%s", arch->machine);
	cli_words_add(&words, "-cpu");
	cli_words_add(&words, "%s", cpu ? cpu : arch->cpu);
	cli_words_add(&words, "-kernel");
	cli_words_add(&words, "%s", guest->image.data);
	cli_words_add(&words, "-initrd");
	cli_words_add(&words, "/proc/self/fd/%d", guest->initramfs);
	cli_words_add(&words, "-append");
	cli_words_add(&words, "%s %s", arch->append, APPEND);
	status = run(guest, &words, out);
	cli_words_release(&machine);
	cli_words_release(&words);
	return status;
}
