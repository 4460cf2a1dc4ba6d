// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonwriter.h"

#include "app/settings/observation.h"

namespace diskwright {

/// A number or a string.
void writeValue(JsonWriter &json, const Value &value);
/// One member of show's "settings", with the keys that scripts rely on.
void writeObservation(JsonWriter &json, const Observation &seen);

} // namespace diskwright
