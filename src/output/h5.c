// SPDX-License-Identifier: MPL-2.0
// output/h5.c - the few HDF5 calls a checkpoint needs.
#include "output/h5.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define GROW_BYTES ((size_t)1 << 20)

// The one lock for a library that is one per process.
static pthread_mutex_t h5_lock = PTHREAD_MUTEX_INITIALIZER;

void mn_h5_enter(mn_h5_session *session)
{
    pthread_mutex_lock(&h5_lock);
    session->report      = NULL;
    session->report_data = NULL;
    (void)H5Eget_auto2(H5E_DEFAULT, &session->report, &session->report_data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void mn_h5_leave(const mn_h5_session *session)
{
    (void)H5Eset_auto2(H5E_DEFAULT, session->report, session->report_data);
    pthread_mutex_unlock(&h5_lock);
}

static hid_t memory_access(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fapl_core(access, GROW_BYTES, false) >= 0) return access;
    if (access >= 0) H5Pclose(access);
    return H5I_INVALID_HID;
}

static hid_t creation_without_times(hid_t kind)
{
    const hid_t list = H5Pcreate(kind);
    if (list >= 0) (void)H5Pset_obj_track_times(list, false);
    return list;
}

// The image of a new file is the buffer itself: a second one beside it would be as large as the state. Once the buffer
// is refused room the image goes on beside it, on the heap as all that HDF5 holds: a file that cannot be flushed cannot
// be closed, and its parts would stay in the library for ever.

static void *image_grow(void *image, size_t bytes, H5FD_file_image_op_t why, void *buffer)
{
    (void)why;
    mn_buffer *out = buffer;
    if (image != NULL && image != (void *)out->data) return realloc(image, bytes);
    const size_t had = image != NULL ? (size_t)out->capacity : 0;
    mn_buffer_reserve(out, bytes);
    if (!out->refused) return out->data;
    void *beside = malloc(bytes);
    if (beside != NULL && had > 0) memcpy(beside, out->data, had < bytes ? had : bytes);
    return beside;
}

static void *image_take(size_t bytes, H5FD_file_image_op_t why, void *buffer)
{
    return image_grow(NULL, bytes, why, buffer);
}

static void *image_copy(void *to, const void *from, size_t bytes, H5FD_file_image_op_t why, void *buffer)
{
    (void)why, (void)buffer;
    return memcpy(to, from, bytes);
}

/// The buffer keeps what is its own.
static herr_t image_leave(void *image, H5FD_file_image_op_t why, void *buffer)
{
    (void)why;
    if (image != (void *)((mn_buffer *)buffer)->data) free(image);
    return 0;
}

static void  *same_buffer(void *buffer) { return buffer; }
static herr_t keep_buffer(void *buffer)
{
    (void)buffer;
    return 0;
}

hid_t mn_h5_create(mn_buffer *out)
{
    MN_ASSERT(out->bytes == 0);
    H5FD_file_image_callbacks_t calls = {
        image_take, image_copy, image_grow, image_leave, same_buffer, keep_buffer, out
    };
    const hid_t access   = memory_access();
    const hid_t creation = creation_without_times(H5P_FILE_CREATE);
    hid_t       file     = H5I_INVALID_HID;
    if (access >= 0 && H5Pset_file_image_callbacks(access, &calls) >= 0)
        file = H5Fcreate("memory", H5F_ACC_TRUNC, creation, access);
    if (access >= 0) H5Pclose(access);
    if (creation >= 0) H5Pclose(creation);
    return file;
}

bool mn_h5_finish(hid_t *file, mn_buffer *out)
{
    const bool    flushed = H5Fflush(*file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t bytes   = flushed ? H5Fget_file_image(*file, NULL, 0) : -1;
    const bool    closed  = H5Fclose(*file) >= 0;
    *file                 = H5I_INVALID_HID;
    if (!closed || bytes <= 0 || out->refused || bytes > out->capacity) return false;
    out->bytes = (size_t)bytes;
    return true;
}

hid_t mn_h5_open(const void *data, size_t bytes)
{
    const hid_t access = memory_access();
    hid_t       file   = H5I_INVALID_HID;
    // HDF5 copies the image and does not write to ours; its signature only lacks the const.
    if (access >= 0 && H5Pset_file_image(access, (void *)(uintptr_t)data, bytes) >= 0)
        file = H5Fopen("memory", H5F_ACC_RDONLY, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

void mn_h5_close(hid_t *file)
{
    if (*file >= 0) (void)H5Fclose(*file);
    *file = H5I_INVALID_HID;
}

hid_t mn_h5_make_group(hid_t parent, const char *name)
{
    const hid_t creation = creation_without_times(H5P_GROUP_CREATE);
    const hid_t group    = H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (creation >= 0) H5Pclose(creation);
    return group;
}

static hid_t stored_type(mn_type type)
{
    switch (type) {
    case MN_TYPE_double: return H5T_IEEE_F64LE;
    case MN_TYPE_float: return H5T_IEEE_F32LE;
    case MN_TYPE_int32_t: return H5T_STD_I32LE;
    case MN_TYPE_int64_t: return H5T_STD_I64LE;
    }
    return H5I_INVALID_HID;
}

static hid_t memory_type(mn_type type)
{
    switch (type) {
    case MN_TYPE_double: return H5T_NATIVE_DOUBLE;
    case MN_TYPE_float: return H5T_NATIVE_FLOAT;
    case MN_TYPE_int32_t: return H5T_NATIVE_INT32;
    case MN_TYPE_int64_t: return H5T_NATIVE_INT64;
    }
    return H5I_INVALID_HID;
}

/// Whether a value in the file has exactly the stored type of `type`; closes `found`.
static bool same_type(hid_t found, mn_type type)
{
    const bool same = found >= 0 && H5Tequal(found, stored_type(type)) > 0;
    if (found >= 0) H5Tclose(found);
    return same;
}

/// Number of elements; closes `space`.
static int64_t element_count(hid_t space)
{
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    if (space >= 0) H5Sclose(space);
    return (int64_t)count;
}

static bool put_attribute(hid_t object, const char *name, hid_t file_type, hid_t value_type, const void *value)
{
    const hid_t space     = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool  good      = attribute >= 0 && H5Awrite(attribute, value_type, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    return good;
}

bool mn_h5_put_text(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    const bool  good = type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
                      put_attribute(object, name, type, type, text);
    if (type >= 0) H5Tclose(type);
    return good;
}

bool mn_h5_put_scalar(hid_t object, const char *name, mn_type type, const void *value)
{
    return put_attribute(object, name, stored_type(type), memory_type(type), value);
}

bool mn_h5_put_array(hid_t group, const char *name, mn_type type, const void *data, int64_t count, const char *unit,
                     const char *help)
{
    const hsize_t size     = (hsize_t)count;
    const hid_t   space    = H5Screate_simple(1, &size, NULL);
    const hid_t   creation = creation_without_times(H5P_DATASET_CREATE);
    const hid_t   set      = H5Dcreate2(group, name, stored_type(type), space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool          good     = set >= 0;
    if (good && count > 0) good = H5Dwrite(set, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    good = good && mn_h5_put_text(set, "unit", unit) && mn_h5_put_text(set, "help", help);
    if (set >= 0) H5Dclose(set);
    if (creation >= 0) H5Pclose(creation);
    if (space >= 0) H5Sclose(space);
    return good;
}

bool mn_h5_get_text(hid_t object, const char *name, char *text, size_t bytes)
{
    memset(text, 0, bytes);
    if (H5Aexists(object, name) <= 0) return false;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t found     = attribute >= 0 ? H5Aget_type(attribute) : H5I_INVALID_HID;
    const bool  is_text   = found >= 0 && H5Tget_class(found) == H5T_STRING && H5Tis_variable_str(found) == 0;
    const bool  single    = attribute >= 0 && element_count(H5Aget_space(attribute)) == 1;
    const hid_t type      = H5Tcopy(H5T_C_S1);
    const bool  good      = is_text && single && type >= 0 && H5Tset_size(type, bytes) >= 0 &&
                      H5Aread(attribute, type, text) >= 0;
    text[bytes - 1] = '\0';
    if (type >= 0) H5Tclose(type);
    if (found >= 0) H5Tclose(found);
    if (attribute >= 0) H5Aclose(attribute);
    return good;
}

bool mn_h5_get_scalar(hid_t object, const char *name, mn_type type, void *value)
{
    if (H5Aexists(object, name) <= 0) return false;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    const bool good = same_type(H5Aget_type(attribute), type) && element_count(H5Aget_space(attribute)) == 1 &&
                      H5Aread(attribute, memory_type(type), value) >= 0;
    H5Aclose(attribute);
    return good;
}

bool mn_h5_get_array(hid_t group, const char *name, mn_type type, void *data, int64_t count)
{
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0) return false;
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return false;
    bool good = same_type(H5Dget_type(set), type) && element_count(H5Dget_space(set)) == count;
    if (good && count > 0) good = H5Dread(set, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Dclose(set);
    return good;
}
