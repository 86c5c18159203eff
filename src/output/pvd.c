// SPDX-License-Identifier: MPL-2.0
// output/pvd.c - the list of all frame files.
#include "output/pvd.h"

#include "output/vtp.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

mn_status mn_pvd_add(mn_context *c, mn_pvd *pvd, int part, int64_t frame)
{
    MN_ASSERT(pvd->count == 0 || pvd->files[pvd->count - 1].frame <= frame);
    MN_TRY(mn_array_reserve(c, &pvd->files, &pvd->capacity, pvd->count + 1, sizeof *pvd->files));
    pvd->files[pvd->count++] = (mn_pvd_file){ part, frame };
    return MN_OK;
}

void mn_pvd_free(mn_context *c, mn_pvd *pvd)
{
    mn_free(c, pvd->files);
    *pvd = (mn_pvd){ .names = pvd->names, .name_count = pvd->name_count };
}

void mn_frame_name(char *name, size_t bytes, const char *part, int64_t frame, const char *ending)
{
    char safe[128];
    snprintf(safe, sizeof safe, "%s", part);
    for (char *at = safe; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && strchr("-_+ ", *at) == NULL) *at = '_';
    snprintf(name, bytes, "frames/%s.%06lld.%s", safe, (long long)frame, ending);
}

void mn_frame_file_name(char *name, size_t bytes, const char *part, int64_t frame)
{
    mn_frame_name(name, bytes, part, frame, "vtp");
}

static void write_entry(mn_buffer *out, const char *part, int index, int64_t file_frame, double time)
{
    char file[256];
    mn_frame_file_name(file, sizeof file, part, file_frame);
    mn_buffer_print(out, "    <DataSet timestep=\"%.17g\" part=\"%d\" name=\"", time, index);
    mn_xml_text(out, part);
    mn_buffer_text(out, "\" file=\"");
    mn_xml_text(out, file);
    mn_buffer_text(out, "\"/>\n");
}

mn_status mn_pvd_write(mn_context *c, const mn_pvd *pvd, int64_t first, int64_t last, double frame_rate, mn_buffer *out)
{
    int64_t *newest = mn_alloc_array(c, int64_t, pvd->name_count);  // frame of the newest file of each part, -1: none
    if (newest == NULL) return MN_ERR_MEMORY;
    for (int p = 0; p < pvd->name_count; p++) newest[p] = -1;
    mn_buffer_text(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                        "byte_order=\"LittleEndian\">\n  <Collection>\n");
    int64_t file = 0;
    for (int64_t frame = first; frame <= last; frame++) {
        for (; file < pvd->count && pvd->files[file].frame <= frame; file++)
            newest[pvd->files[file].part] = pvd->files[file].frame;
        for (int p = 0; p < pvd->name_count; p++)
            if (newest[p] >= 0) write_entry(out, pvd->names[p], p, newest[p], (double)frame / frame_rate);
    }
    mn_buffer_text(out, "  </Collection>\n</VTKFile>\n");
    mn_free(c, newest);
    return mn_buffer_status(out);
}
