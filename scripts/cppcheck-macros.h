/* SPDX-License-Identifier: GPL-2.0 */
/* What cppcheck must know of the libraries' loop macros; for "make check" only. */
#define mnl_attr_for_each(attr, nlh, offset) \
	for (attr = first_attr(nlh, offset); more_attr(attr); attr = next_attr(attr))
#define mnl_attr_for_each_nested(attr, nest) \
	for (attr = first_attr(nest, 0); more_attr(attr); attr = next_attr(attr))
#define json_object_object_foreach(obj, key, val) \
	char *key = json_key(obj); \
	struct json_object *val = json_val(obj); \
	for (; json_more(obj); json_next(&key, &val))
