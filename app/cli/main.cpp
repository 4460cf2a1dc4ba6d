// SPDX-FileCopyrightText: 2026 The Diskwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include <clocale>
#include <iostream>

int main(int argc, char *argv[])
{
    // The user's separators in tables; JSON never looks at the locale.
    std::setlocale(LC_ALL, "");
    std::ios::sync_with_stdio(false);
    return diskwright::runCommandLine({argv + 1, argv + argc}, std::cout, std::cerr);
}
