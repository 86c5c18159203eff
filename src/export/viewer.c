// SPDX-License-Identifier: MPL-2.0
// export/viewer.c - whether this build has the page of the viewer.
#include "export/viewer.h"

#ifdef MN_VIEWER

extern const unsigned char mn_viewer_page_data[];  // made by integrations/viewer/bundle.mjs
extern const size_t        mn_viewer_page_bytes;

const unsigned char *mn_viewer_page(size_t *bytes)
{
    *bytes = mn_viewer_page_bytes;
    return mn_viewer_page_data;
}

#else

const unsigned char *mn_viewer_page(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

#endif

const char *mn_viewer_missing(void)
{
    return "this build cannot write pages since npm, or what npm fetches, was not there when it was configured; "
           "install nodejs and npm and build again";
}
