// SPDX-License-Identifier: MPL-2.0
// export/viewer.h - the empty page of the viewer, which the build makes from integrations/viewer if it has npm.
#ifndef MN_EXPORT_VIEWER_H
#define MN_EXPORT_VIEWER_H

#include <stddef.h>

/// Where in the page the run goes.
#define MN_VIEWER_MARK "<!--meniscus:run-->"

/// The page; NULL in a build without it.
const unsigned char *mn_viewer_page(size_t *bytes);
/// A sentence about what to install.
const char *mn_viewer_missing(void);

#endif
