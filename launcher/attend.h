/*
 * attend.h: upcrun as the parent of OpenSHMEM's launcher.
 *
 * Open MPI's launcher reports on standard error, in blocks between rules of dashes, how a job ended.  Events that the
 * threads have reported themselves (a signal, an exit status) need no second report.  Only the launcher can report that
 * a host is lost; that is shortened to one line.
 */
#ifndef BN_LAUNCHER_ATTEND_H
#define BN_LAUNCHER_ATTEND_H

/**
 * Runs words as a child, which does not outlive this process.
 *
 * - When this process is asked to end, it sends the child one SIGINT.
 * - It kills the child and its process group 10 s after that; when it is asked again, at least 1 s later or by Ctrl-C;
 *   or 10 s after the job has ended by itself.
 * - Once the threads have begun, they are stopped and continued with this process, and get its SIGUSR1 and SIGUSR2.
 *
 * The child's output goes to the standard files of this process, except for blocks on standard error that say nothing
 * new; a lost host is reported in one line.  If an output file cannot be written any more, the child is asked to end;
 * an error other than a missing reader is reported.
 *
 * Returns the exit status of the child, 128 + the signal's number if it died of one, which is reported; 126, reported,
 * if it cannot be run; 1 if it had to be killed.  A status other than 0 for which nobody has given a reason is
 * reported. If the child exits with 1, dies of a signal or is killed after a signal that asked for the end, this
 * process dies of that signal; if the reason was that the reader of the output is gone, of SIGPIPE.
 *
 * Each process of the job has threads_each threads; the job has thread_count.
 */
int launcher_attend(char **words, const char *program, int threads_each, int thread_count);

#endif
