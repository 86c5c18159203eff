// SPDX-License-Identifier: MPL-2.0
// meniscus/meniscus.h - the whole public API.
#ifndef MENISCUS_MENISCUS_H
#define MENISCUS_MENISCUS_H

#include "meniscus/base.h"
#include "meniscus/render.h"
#include "meniscus/run.h"
#include "meniscus/scene.h"
#include "meniscus/shape.h"
#include "meniscus/verify.h"
#include "meniscus/weave.h"
#include "meniscus/world.h"

#endif
