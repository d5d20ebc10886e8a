// The crash report, written by the guard, which is intact, about the program, which is not.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "Guard.h"

enum { reports_kept = 10, log_capacity = 4096, path_capacity = 1024 };
static const char prefix[] = "crash-";

const char *signal_name(int number) {
  switch (number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGABRT: return "SIGABRT";
    case SIGILL: return "SIGILL";
    case SIGTRAP: return "SIGTRAP";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGSYS: return "SIGSYS";
    default: return "signal";
  }
}

// Returns 0, or the first error that prevents it.
static int make_folders(const char *folder) {
  char path[path_capacity];
  int error = 0;
  if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path) return ENAMETOOLONG;
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(path, 0777) != 0 && errno != EEXIST && error == 0) error = errno;
    *slash = '/';
  }
  if (mkdir(path, 0700) != 0 && errno != EEXIST && error == 0) error = errno;
  return error;
}

// Changes to the folder of the reports, so that nothing can take its place in the meantime. A folder of another account
// is refused: its owner could choose what gets removed. Returns NULL, or the problem.
static const char *enter_folder(const char *path) {
  struct stat status;
  int obstacle = make_folders(path);
  // If the folder could not be created, report that reason rather than that it is missing.
  if (lstat(path, &status) != 0) return strerror(errno == ENOENT && obstacle != 0 ? obstacle : errno);
  int is_root_link = S_ISLNK(status.st_mode) && status.st_uid == 0;
  if (status.st_uid != geteuid() && !is_root_link) return "its folder belongs to another account";
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return strerror(errno);
  const char *problem = NULL;
  if (fstat(folder, &status) != 0) {
    problem = strerror(errno);
  } else if (status.st_uid != geteuid()) {
    problem = "its folder belongs to another account";
  } else if (fchdir(folder) != 0) {
    problem = strerror(errno);
  }
  close(folder);
  return problem;
}

// Matches exactly `crash-TIME-PROCESS.txt`.
static int is_report(const struct dirent *entry) {
  static const char form[] = "00000000T000000Z-";
  const char *name = entry->d_name;
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return 0;
  name += sizeof prefix - 1;
  for (const char *sign = form; *sign != 0; sign++, name++) {
    if (*sign == '0' ? *name < '0' || *name > '9' : *name != *sign) return 0;
  }
  size_t digits = strspn(name, "0123456789");
  return digits > 0 && strcmp(name + digits, ".txt") == 0;
}

// Operates on the current folder. The names begin with the time, so the first ones are the oldest.
static void remove_old(void) {
  struct dirent **entries;
  int count = scandir(".", &entries, is_report, alphasort);
  for (int i = 0; i < count; i++) {
    if (i < count - reports_kept) unlink(entries[i]->d_name);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

// Only the given folder, and never the target of a link: an account that may rename the folder could put another one
// there.
void remove_folder(const char *path, dev_t device, ino_t number) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  int is_meant = fstat(fd, &status) == 0 && status.st_dev == device && status.st_ino == number;
  DIR *folder = is_meant && status.st_uid == geteuid() ? fdopendir(fd) : NULL;
  if (folder == NULL) {
    close(fd);
    return;
  }
  struct dirent *entry;
  while ((entry = readdir(folder)) != NULL) unlinkat(dirfd(folder), entry->d_name, 0);
  closedir(folder);
  rmdir(path);
}

static void write_build_id(FILE *file) {
  struct build_id id = program_build_id();
  if (id.count == 0) return;
  fprintf(file, "build-id: ");
  for (size_t i = 0; i < id.count; i++) fprintf(file, "%02x", id.bytes[i]);
  fputc('\n', file);
}

static void write_head(FILE *file, const struct terminal_report *report, const struct shared *shared, int number,
                       pid_t process, const struct tm *now) {
  const struct crash_note *note = &shared->crash;
  struct winsize size = {0};
  char time[32];
  strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", now);
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  fprintf(file, "%s %s has crashed\ntime: %s\nsignal: %s (%d)\nprocess: %d\n", report->program, report->version, time,
          signal_name(number), number, (int)process);
  write_build_id(file);
  const char *type = getenv("TERM");
  fprintf(file, "terminal: %.40s %dx%d\n", type == NULL ? "-" : type, size.ws_col, size.ws_row);
  if (atomic_load(&note->number) == 0) return;
  fprintf(file, "code: %d\naddress: 0x%lx\nstack: 0x%lx\n", note->code, (unsigned long)note->address,
          (unsigned long)note->stack);
  fprintf(file, "thread: %ld %.31s%s\n", note->thread, note->thread_name,
          note->thread == (long)process ? " (the first)" : "");
}

// The call that a frame stands for: a return address comes after the call.
static uintptr_t place(const struct crash_note *note, int frame) { return note->frames[frame] - (frame > 0); }

static void write_frame(FILE *file, const struct terminal_report *report, int number, uintptr_t address) {
  struct module module;
  size_t distance;
  if (!find_module(address, &module)) {
    fprintf(file, "%2d 0x%lx (no file that was loaded at the start)\n", number, (unsigned long)address);
    return;
  }
  fprintf(file, "%2d %s+0x%lx", number, module.is_program ? report->program : module.name,
          (unsigned long)module.offset);
  const char *name = module.is_program ? NULL : exported_name(address, &distance);
  if (name != NULL) fprintf(file, " (%s+0x%zx)", name, distance);
  fputc('\n', file);
}

// The command that resolves the program's functions; the program's own file contains no names.
static void write_command(FILE *file, const struct terminal_report *report, const struct crash_note *note) {
  struct module module;
  int count = 0;
  for (int i = 0; i < note->count; i++) {
    if (!find_module(place(note, i), &module) || !module.is_program) continue;
    if (count++ == 0)
      fprintf(file, "\nfunctions and lines (with the Swift toolchain, and the %s.debug of this build; for a debug build, the program itself):\n"
              "llvm-symbolizer -ap --obj=%s.debug", report->program, report->program);
    fprintf(file, " 0x%lx", (unsigned long)module.offset);
  }
  if (count > 0) fprintf(file, " | swift demangle --simplified\n");
}

static void write_stack(FILE *file, const struct terminal_report *report, const struct crash_note *note) {
  if (atomic_load(&note->number) == 0) {
    fprintf(file, "\nbacktrace: none; the program could not say where it was (no stack left on that thread)\n");
    return;
  }
  fprintf(file, "\nbacktrace:\n");
  for (int i = 0; i < note->count; i++) write_frame(file, report, i, place(note, i));
  write_command(file, report, note);
}

// The last lines of the log, only whole ones.
static void write_log(FILE *file, const char *path) {
  char bytes[log_capacity];
  int log = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (log < 0) return;
  off_t end = lseek(log, 0, SEEK_END);
  off_t start = end > log_capacity ? end - log_capacity : 0;
  ssize_t count = pread(log, bytes, sizeof bytes, start);
  close(log);
  if (count <= 0) return;
  const char *first = bytes;
  if (start > 0 && (first = memchr(bytes, '\n', (size_t)count)) != NULL) first++;
  if (first == NULL) return;
  fprintf(file, "\nlast of %s:\n", path);
  fwrite(first, 1, (size_t)(bytes + count - first), file);
}

// The whole report, in memory that the caller frees; NULL with errno if there is not enough.
static char *make_report(const struct terminal_report *report, const struct shared *shared, int number, pid_t process,
                         const struct tm *now, size_t *size) {
  char *text = NULL;
  FILE *file = open_memstream(&text, size);
  if (file == NULL) return NULL;
  write_head(file, report, shared, number, process, now);
  write_stack(file, report, &shared->crash);
  write_log(file, report->log);
  if (fclose(file) != 0 || text == NULL) return free(text), NULL;
  size_t capacity = 4 * *size + 1;
  char *plain = malloc(capacity);
  if (plain != NULL) *size = make_plain(text, *size, 1, plain, capacity);
  free(text);
  return plain;
}

// Writes to the current folder. Returns 0, or the error; then no file is left behind.
static int write_file(const char *name, const char *bytes, size_t count) {
  int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return errno;
  int error = 0;
  while (count > 0 && error == 0) {
    ssize_t written = write(file, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      error = written == 0 ? ENOSPC : errno;
    }
  }
  // Some file systems report only here that there was no space.
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) unlink(name);
  return error;
}

const char *write_report(const struct terminal_report *report, const struct shared *shared, int number, pid_t process,
                         char *path, size_t capacity) {
  time_t seconds = time(NULL);
  struct tm now;
  char stamp[32];
  if (report->folder[0] == 0) return "there is no home folder";
  if (gmtime_r(&seconds, &now) == NULL) return "there is no time";
  strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &now);
  if (snprintf(path, capacity, "%s/%s%s-%d.txt", report->folder, prefix, stamp, (int)process) >= (int)capacity)
    return strerror(ENAMETOOLONG);
  size_t size = 0;
  char *text = make_report(report, shared, number, process, &now, &size);
  if (text == NULL) return strerror(ENOMEM);
  const char *problem = enter_folder(report->folder);
  int error = problem == NULL ? write_file(strrchr(path, '/') + 1, text, size) : 0;
  free(text);
  if (problem == NULL && error == 0) remove_old();
  return error == 0 ? problem : strerror(error);
}
