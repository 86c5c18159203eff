// SPDX-License-Identifier: MPL-2.0
// output/frames.c - the rows of the table of parts that a world has.
#include "output/frames.h"

#include "output/parts/parts.h"

typedef struct part {
    void           *state;  // of its source; the first part of a source owns it. NULL: the world has none
    bool            owns, is_made;
    mn_frame_part   made;
    mn_frame_array *kept;  // those of its arrays that its file has
    int64_t         kept_capacity;
} part;

struct mn_frames {
    mn_context    *context;
    mn_world      *world;
    mn_output_def  output;
    part           parts[MN_OUTPUT_PART_COUNT];
    mn_output_part written[MN_OUTPUT_PART_COUNT];
    const char    *names[MN_OUTPUT_PART_COUNT];
    int            count;
    mn_frame_part  shown[MN_OUTPUT_PART_COUNT];
};

static mn_status create_source(mn_frames *f, int k)
{
    const mn_part_source *source = mn_part_row_of((mn_output_part)k)->source;
    for (int before = 0; before < k; before++)
        if (mn_part_row_of((mn_output_part)before)->source == source) {
            f->parts[k].state = f->parts[before].state;
            return MN_OK;
        }
    f->parts[k].owns = true;
    return source->create(f->context, f->world, &f->output, &f->parts[k].state);
}

static bool has(const mn_frames *f, int k)
{
    const mn_part_row *row = mn_part_row_of((mn_output_part)k);
    return f->parts[k].state != NULL && (row->has == NULL || row->has(f->parts[k].state));
}

mn_status mn_frames_create(mn_context *c, mn_world *world, const mn_output_def *output, mn_frames **out)
{
    *out         = NULL;
    mn_frames *f = mn_alloc(c, sizeof *f);
    if (f == NULL) return MN_ERR_MEMORY;
    f->context       = c;
    f->world         = world;
    f->output        = *output;
    mn_status status = MN_OK;
    for (int k = 0; status == MN_OK && k < MN_OUTPUT_PART_COUNT; k++) status = create_source(f, k);
    if (status != MN_OK) {
        mn_frames_destroy(&f);
        return status;
    }
    for (int k = 0; k < MN_OUTPUT_PART_COUNT; k++) {
        if (!output->part[k] || !has(f, k)) continue;
        f->written[f->count] = (mn_output_part)k;
        f->names[f->count++] = mn_part_name((mn_output_part)k);
    }
    *out = f;
    return MN_OK;
}

void mn_frames_destroy(mn_frames **frames)
{
    mn_frames *f = *frames;
    if (f == NULL) return;
    for (int k = 0; k < MN_OUTPUT_PART_COUNT; k++) {
        if (f->parts[k].owns) mn_part_row_of((mn_output_part)k)->source->destroy(&f->parts[k].state);
        mn_free(f->context, f->parts[k].kept);
    }
    mn_free(f->context, f);
    *frames = NULL;
}

void mn_frames_begin(mn_frames *f)
{
    for (int k = 0; k < MN_OUTPUT_PART_COUNT; k++) f->parts[k].is_made = false;
}

int mn_frames_count(const mn_frames *f) { return f->count; }

const char *const *mn_frames_names(const mn_frames *f) { return f->names; }

bool mn_frames_is_timeless(const mn_frames *f, int which) { return mn_part_row_of(f->written[which])->timeless; }

static mn_status make(mn_frames *f, mn_output_part k)
{
    const mn_part_row *row = mn_part_row_of(k);
    part              *p   = &f->parts[k];
    if (p->is_made) return MN_OK;
    MN_TRY(mn_check_interrupt(f->context, "a frame"));
    MN_TRY(row->make(p->state, &p->made));
    p->made.name     = mn_part_name(k);
    p->made.look     = row->look;
    p->made.timeless = row->timeless;
    p->made.time     = row->timeless ? 0.0 : mn_world_time(f->world);
    p->is_made       = true;
    return MN_OK;
}

mn_status mn_frames_part(mn_frames *f, int which, mn_frame_part *out)
{
    MN_ASSERT(which >= 0 && which < f->count);
    part *p = &f->parts[f->written[which]];
    MN_TRY(make(f, f->written[which]));
    *out = p->made;
    MN_TRY(mn_array_reserve(f->context, &p->kept, &p->kept_capacity, out->array_count, sizeof *p->kept));
    out->arrays      = p->kept;
    out->array_count = 0;
    for (int a = 0; a < p->made.array_count; a++) {
        const int field = p->made.arrays[a].field;
        if (field == 0 || f->output.field[field - 1]) p->kept[out->array_count++] = p->made.arrays[a];
    }
    return MN_OK;
}

mn_status mn_frames_shown(mn_frames *f, const mn_frame_part **out, int *count)
{
    *out   = f->shown;
    *count = 0;
    for (int k = 0; k < MN_OUTPUT_PART_COUNT; k++) {
        if (!mn_part_row_of((mn_output_part)k)->pictured || !has(f, k)) continue;
        MN_TRY(make(f, (mn_output_part)k));
        f->shown[(*count)++] = f->parts[k].made;
    }
    return MN_OK;
}

// ---- images --------------------------------------------------------------------------------------------------------

static int images_of(const mn_frames *f, int k)
{
    const mn_part_source *source = mn_part_row_of((mn_output_part)k)->source;
    const bool            wanted = f->output.part[k] && f->parts[k].owns && has(f, k);
    return wanted && source->image_count != NULL ? source->image_count(f->parts[k].state) : 0;
}

int mn_frames_image_count(const mn_frames *f)
{
    int count = 0;
    for (int k = 0; k < MN_OUTPUT_PART_COUNT; k++) count += images_of(f, k);
    return count;
}

mn_status mn_frames_image(mn_frames *f, int image, char name[128], mn_buffer *png)
{
    MN_ASSERT(image >= 0 && image < mn_frames_image_count(f));
    int k = 0;
    MN_TRY(mn_check_interrupt(f->context, "a frame"));
    for (; image >= images_of(f, k); k++) image -= images_of(f, k);
    return mn_part_row_of((mn_output_part)k)->source->image(f->parts[k].state, image, name, png);
}
