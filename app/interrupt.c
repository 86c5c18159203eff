// SPDX-License-Identifier: MPL-2.0
// app/interrupt.c - a signal asks for a clean end; what takes long looks at it between its steps.
#include "app.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/// The one thing a signal handler may touch.
static volatile sig_atomic_t interrupts = 0;

/// The first signal asks to finish what is begun, the second ends the program.
static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (interrupts++ > 0) _exit(APP_INTERRUPTED);
}

bool app_interrupted(void) { return interrupts > 0; }

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
