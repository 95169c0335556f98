import { OWN_DEVICES, readOnly, type Confinement } from './confined.ts';
import { callsLeft, settingOf, type Settings } from './systemd.ts';

/** The flags `CLONE_NEW…` of linux/sched.h, by their names in `RestrictNamespaces=`. */
const NAMESPACES: Readonly<Record<string, number>> = {
  cgroup: 0x02000000,
  ipc: 0x08000000,
  mnt: 0x00020000,
  net: 0x40000000,
  pid: 0x20000000,
  time: 0x00000080,
  user: 0x10000000,
  uts: 0x04000000,
};
const FAMILIES: Readonly<Record<string, number>> = {
  AF_UNIX: 1,
  AF_INET: 2,
  AF_INET6: 10,
  AF_NETLINK: 16,
  AF_PACKET: 17,
};
const EPERM = 1;
const ENOSYS = 38;

/** The mounts with which systemd implements a setting. */
const MOUNTS: Readonly<Record<string, readonly string[]>> = {
  'ProtectProc=invisible': ['mount -t proc -o nosuid,nodev,noexec,hidepid=invisible proc /proc'],
  'ProtectKernelTunables=yes': [readOnly('/proc/acpi', '/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys')],
  'ProtectKernelLogs=yes': ['mount --bind /dev/null /proc/kmsg'],
  'PrivateDevices=yes': OWN_DEVICES,
  'PrivateTmp=yes': ['mount -t tmpfs -o nosuid,nodev,mode=1777 tmp /tmp'],
  'ProtectHome=yes': ['for path in /home /root; do mount -t tmpfs -o ro,mode=000 home "$path"; done'],
  'ProtectSystem=strict': ['mount -o remount,bind,ro /'],
};

const masked = (index: number, bits: number): object => ({
  index,
  op: 'SCMP_CMP_MASKED_EQ',
  value: bits,
  valueTwo: 0,
});

/**
 * The restrictions of a unit that can be reproduced without systemd: its user and capabilities, its system calls and
 * namespaces, its address families, and what is mounted over /proc, /dev, homes and the system.
 */
export const unitConfinement = async (settings: Settings): Promise<Confinement> => {
  const calls = await callsLeft(settings);
  for (const call of ['clone', 'clone3', 'setns', 'socket', 'unshare']) calls.delete(call);
  if (settingOf(settings, 'ProtectHostname') === 'yes')
    for (const call of ['sethostname', 'setdomainname']) calls.delete(call);
  const open = (settings.get('RestrictNamespaces') ?? []).join(' ').split(' ');
  const closed = Object.entries(NAMESPACES).reduce((bits, [name, bit]) => (open.includes(name) ? bits : bits | bit), 0);
  const families = settingOf(settings, 'RestrictAddressFamilies').split(' ');
  const capabilities = (name: string): string =>
    ['-all', ...settingOf(settings, name).split(' ').filter(Boolean)]
      .map((word) => word.replace(/^CAP_/, '+').toLowerCase())
      .join();
  return {
    mounts: Object.entries(MOUNTS).flatMap(([setting, lines]) => {
      const [name = '', value] = setting.split('=');
      return settingOf(settings, name) === value ? lines : [];
    }),
    calls: {
      defaultAction: 'SCMP_ACT_ERRNO',
      defaultErrnoRet: EPERM,
      syscalls: [
        { names: [...calls], action: 'SCMP_ACT_ALLOW' },
        { names: ['clone'], action: 'SCMP_ACT_ALLOW', args: [masked(0, closed & ~(NAMESPACES['time'] ?? 0))] },
        { names: ['unshare'], action: 'SCMP_ACT_ALLOW', args: [masked(0, closed)] },
        { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
        ...families.map((family) => ({
          names: ['socket'],
          action: 'SCMP_ACT_ALLOW',
          args: [{ index: 0, op: 'SCMP_CMP_EQ', value: FAMILIES[family] }],
        })),
      ],
    },
    before: [
      ...['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups'],
      `--bounding-set=${capabilities('CapabilityBoundingSet')}`,
      `--inh-caps=${capabilities('AmbientCapabilities')}`,
      `--ambient-caps=${capabilities('AmbientCapabilities')}`,
      ...['--no-new-privs', '--'],
    ],
    after: [],
  };
};
