/* A few functions as a kernel has them: buffers on the stack, locks, calls through pointers. */
extern int copy_in(void *to, const char *from, unsigned long size);
extern void lock(int *lock);
extern void unlock(int *lock);

struct file {
	int lock;
	int flags;
	struct file *next;
	int (*read)(struct file *file, char *buffer, unsigned long size);
};

static inline int file_flags(const struct file *file)
{
	return file->flags & 0xff;
}

static struct file *find_file(struct file *list, int flags)
{
	for (; list; list = list->next)
		if (file_flags(list) == flags)
			return list;
	return (struct file *)0;
}

static int check_name(const char *name, int length)
{
	for (int i = 0; i < length; i++)
		if (name[i] == '/' || !name[i])
			return -22;
	return length > 40 ? -36 : 0;
}

int open_file(struct file *list, const char *user_name, int flags)
{
	char name[64];
	struct file *file;
	int error = copy_in(name, user_name, sizeof(name));

	if (error)
		return error;
	error = check_name(name, 64);
	if (error)
		return error;
	lock(&list->lock);
	file = find_file(list, flags);
	if (file)
		error = file->read(file, name, sizeof(name));
	unlock(&list->lock);
	return error;
}

int count_files(struct file *list, int flags)
{
	int count = 0;

	while ((list = find_file(list, flags))) {
		count++;
		list = list->next;
	}
	return count;
}

int same_file(struct file *list, const char *one, const char *other)
{
	return check_name(one, 12) == check_name(other, 12) && find_file(list, 3) != list;
}
