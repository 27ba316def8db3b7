import { all, atLeast, isTrue, not } from '../condition';
import { count } from '../sentence';
import type { SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

/** People get a password wrong two or three times; lists of stolen passwords do not stop there. */
export const failedLoginBurst: SignalDefinition = {
  name: 'failed_login_burst',
  summary: 'many failed logins by the user, on the device, from the IP address or from its network within an hour',
  family: 'account',
  applies_to: 'both',
  cases: [
    {
      when: atLeast('user_failed_logins_1h', 4),
      strength: gradedByFactor('user_failed_logins_1h', [4, 1], [20, 4]),
      detail: (value) => `${count(value('user_failed_logins_1h'), 'failed login')} by this user within an hour`,
    },
    {
      when: atLeast('device_failed_logins_1h', 6),
      strength: gradedByFactor('device_failed_logins_1h', [6, 1.2], [40, 4.5]),
      detail: (value) => `${count(value('device_failed_logins_1h'), 'failed login')} on this device within an hour`,
    },
    {
      when: atLeast('ip_failed_logins_1h', 15),
      strength: gradedByFactor('ip_failed_logins_1h', [15, 1.2], [200, 5]),
      detail: (value) => `${count(value('ip_failed_logins_1h'), 'failed login')} from this IP address within an hour`,
    },
    {
      when: all(atLeast('network_failed_logins_1h', 20), not(isTrue('user_ip_seen'))),
      strength: gradedByFactor('network_failed_logins_1h', [20, 1.2], [250, 5]),
      detail: (value) => `${count(value('network_failed_logins_1h'), 'failed login')} from this network within an hour`,
    },
  ],
};
