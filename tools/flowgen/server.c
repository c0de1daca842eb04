// SPDX-License-Identifier: GPL-2.0
int fg_server_main(int a, char **b); int fg_server_main(int a, char **b) {(void)a;(void)b;return 2;}
