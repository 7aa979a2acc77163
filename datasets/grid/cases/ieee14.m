% IEEE 14 bus test case: part of the American Electric Power system, February 1962.
%
% Demands, branches and the outputs of 232.4 and 40 MW: IEEE Common Data Format, Power Systems Test Case Archive of the University
% of Washington (R. Christie, 1993). The archive has no limits and no costs. Those here follow the rule of MATPOWER's converter
% cdf2matp: 100 MW more than the output, 10/output p^2 + 20 p, and 0.01 p^2 + 40 p for the condensers. No branch has a rating.
% What the linear power flow does not use (reactive power, charging, voltages) is left at 0 or 1.
function mpc = ieee14
mpc.version = '2';
mpc.baseMVA = 100;

%% bus_i type Pd Qd Gs Bs area Vm Va baseKV zone Vmax Vmin
mpc.bus = [
	1 3 0 0 0 0 1 1 0 1 1 1.1 0.9;
	2 2 21.7 0 0 0 1 1 0 1 1 1.1 0.9;
	3 2 94.2 0 0 0 1 1 0 1 1 1.1 0.9;
	4 1 47.8 0 0 0 1 1 0 1 1 1.1 0.9;
	5 1 7.6 0 0 0 1 1 0 1 1 1.1 0.9;
	6 2 11.2 0 0 0 1 1 0 1 1 1.1 0.9;
	7 1 0 0 0 0 1 1 0 1 1 1.1 0.9;
	8 2 0 0 0 0 1 1 0 1 1 1.1 0.9;
	9 1 29.5 0 0 0 1 1 0 1 1 1.1 0.9;
	10 1 9 0 0 0 1 1 0 1 1 1.1 0.9;
	11 1 3.5 0 0 0 1 1 0 1 1 1.1 0.9;
	12 1 6.1 0 0 0 1 1 0 1 1 1.1 0.9;
	13 1 13.5 0 0 0 1 1 0 1 1 1.1 0.9;
	14 1 14.9 0 0 0 1 1 0 1 1 1.1 0.9;
];

%% bus Pg Qg Qmax Qmin Vg mBase status Pmax Pmin
mpc.gen = [
	1 0 0 0 0 1 100 1 332.4 0;
	2 0 0 0 0 1 100 1 140 0;
	3 0 0 0 0 1 100 1 100 0;
	6 0 0 0 0 1 100 1 100 0;
	8 0 0 0 0 1 100 1 100 0;
];

%% 2 startup shutdown n c2 c1 c0
mpc.gencost = [
	2 0 0 3 0.0430292599 20 0;
	2 0 0 3 0.25 20 0;
	2 0 0 3 0.01 40 0;
	2 0 0 3 0.01 40 0;
	2 0 0 3 0.01 40 0;
];

%% fbus tbus r x b rateA rateB rateC ratio angle status angmin angmax
mpc.branch = [
	1 2 0.01938 0.05917 0 0 0 0 0 0 1 -360 360;
	1 5 0.05403 0.22304 0 0 0 0 0 0 1 -360 360;
	2 3 0.04699 0.19797 0 0 0 0 0 0 1 -360 360;
	2 4 0.05811 0.17632 0 0 0 0 0 0 1 -360 360;
	2 5 0.05695 0.17388 0 0 0 0 0 0 1 -360 360;
	3 4 0.06701 0.17103 0 0 0 0 0 0 1 -360 360;
	4 5 0.01335 0.04211 0 0 0 0 0 0 1 -360 360;
	4 7 0 0.20912 0 0 0 0 0.978 0 1 -360 360;
	4 9 0 0.55618 0 0 0 0 0.969 0 1 -360 360;
	5 6 0 0.25202 0 0 0 0 0.932 0 1 -360 360;
	6 11 0.09498 0.1989 0 0 0 0 0 0 1 -360 360;
	6 12 0.12291 0.25581 0 0 0 0 0 0 1 -360 360;
	6 13 0.06615 0.13027 0 0 0 0 0 0 1 -360 360;
	7 8 0 0.17615 0 0 0 0 0 0 1 -360 360;
	7 9 0 0.11001 0 0 0 0 0 0 1 -360 360;
	9 10 0.03181 0.0845 0 0 0 0 0 0 1 -360 360;
	9 14 0.12711 0.27038 0 0 0 0 0 0 1 -360 360;
	10 11 0.08205 0.19207 0 0 0 0 0 0 1 -360 360;
	12 13 0.22092 0.19988 0 0 0 0 0 0 1 -360 360;
	13 14 0.17093 0.34802 0 0 0 0 0 0 1 -360 360;
];
