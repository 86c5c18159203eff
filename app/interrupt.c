// SPDX-License-Identifier: MPL-2.0
// app/interrupt.c - a signal asks the library for a clean end, or ends the program where there is nothing to save.
#include "app.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/// What the signal handler touches: how many signals there were, and whom the first one asks to end.
static volatile sig_atomic_t interrupts = 0;
static _Atomic(mn_context *) working    = NULL;

/// The first signal asks who works to end, if there is somebody; the second ends the program.
static void on_interrupt(int signal_number)
{
    (void)signal_number;
    mn_context *context = atomic_load(&working);
    if (interrupts++ > 0 || context == NULL) _exit(APP_INTERRUPTED);
    mn_context_interrupt(context, true);
}

bool app_interrupted(void) { return interrupts > 0; }

void app_ask_on_interrupt(mn_context *context) { atomic_store(&working, context); }

void app_catch_interrupts(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags   = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) {
        // What the caller had ignored (nohup) stays ignored.
        if (sigaction(signals[k], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(signals[k], &action, NULL);
    }
}
