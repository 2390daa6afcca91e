/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the core must not use. Included after the system's headers,
 * because a poisoned name may not even be declared.
 */
#ifndef KILN_CORE_BANNED_H
#define KILN_CORE_BANNED_H

#pragma GCC poison strcpy strcat sprintf vsprintf strtok strtok_r atoi atol gets

#endif
