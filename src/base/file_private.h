// SPDX-License-Identifier: MPL-2.0
// base/file_private.h - what the files of base/file.h share.
#ifndef MN_BASE_FILE_PRIVATE_H
#define MN_BASE_FILE_PRIVATE_H

#include "base/file.h"

#include <sys/types.h>

/// Remember "path: sentence", or "path: reason of errno"; the status is MN_ERR_FILE.
mn_status mn_file_refuse(mn_file_error *error, const char *path, const char *format, ...) MN_PRINTF(3, 4);
mn_status mn_file_failed(mn_file_error *error, const char *path, int number);
/// open, again after an interrupt; never handed to a child, never the controlling terminal.
int mn_file_descriptor(const char *path, int flags, mode_t mode);

#endif
