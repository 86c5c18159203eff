// SPDX-License-Identifier: MPL-2.0
// couple/exchange.h - what the stage that lets liquid change owner tells about itself.
#ifndef MN_COUPLE_EXCHANGE_H
#define MN_COUPLE_EXCHANGE_H

#include <stdint.h>

typedef struct mn_exchange_report {
    double  captured, dripped;  ///< cm^3
    int64_t near, thirsty;      ///< particles and vertices that capture looked at
    int64_t consumed;           ///< particles that gave all they had
    int64_t drops;              ///< particles that dripping made
    int64_t blocked;            ///< drops that found no room outside solids and stay in the fabric
} mn_exchange_report;

#endif
