/*
 * Sleeping on a word, as in platform/futex.h.  Steps that the kernel does as one are atomic.  Sleeping threads may wake
 * up spuriously.
 */
bool asleep[5]; /* by _pid, from 1; at most four threads */

/* Sleeps if the word still has the value that was seen; returns once awake. */
inline futex_wait(word, seen)
{
    atomic
    {
        if
            ::IF_MUTANT(SLEEPS_IN_ANY_CASE, true, word == seen)->asleep[_pid] = true ::else fi
    }
    if
        ::!asleep[_pid] ::atomic
        {
            spurious > 0->spurious--;
            asleep[_pid] = false
        }
    fi
}

/* Wakes all sleeping threads, or any one of them. */
inline futex_wake(wakes_all)
{
    atomic
    {
        if
            ::wakes_all->asleep[1] = false;
        asleep[2] = false;
        asleep[3] = false;
        asleep[4] = false ::!wakes_all && asleep[1]->asleep[1] = false ::!wakes_all && asleep[2]->asleep[2] =
                                                                     false ::!wakes_all && asleep[3]->asleep[3] =
                                                                         false ::!wakes_all && asleep[4]->asleep[4] =
                                                                             false ::else fi
    }
}
