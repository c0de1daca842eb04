// SPDX-License-Identifier: GPL-2.0
int fg_client_main(int a, char **b); int fg_client_main(int a, char **b) {(void)a;(void)b;return 2;}
