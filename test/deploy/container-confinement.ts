import type { Service } from './compose.ts';
import { OWN_DEVICES, readOnly, type Confinement } from './confined.ts';
import { inProject } from './project.ts';
import type { Filtering } from './seccomp/libseccomp.ts';

/** Mounts over the paths of /proc that Docker hides, if they exist on this machine. */
const COVERED = [
  'for path in /proc/kcore /proc/keys /proc/latency_stats /proc/timer_list; do if [ -e "$path" ]; then mount --bind /dev/null "$path"; fi; done',
  readOnly('/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'),
];

/** Returns the value of a security option such as `seccomp=file`; null if it is not set. */
const optionOf = ({ security_opt = [] }: Service, name: string): string | null =>
  security_opt.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;

/**
 * The restrictions of a service of compose.yaml that can be reproduced without a container engine: its capabilities and
 * entry point, its system calls, and what is mounted over /proc, /dev and /tmp.
 */
export const containerConfinement = (service: Service): Confinement => {
  const { cap_add = [], entrypoint = [], tmpfs = [], read_only = false, user = '1000:1000' } = service;
  const [uid = '', gid = ''] = user.split(':');
  const profile = optionOf(service, 'seccomp');
  if (profile === null) throw new Error('The system calls forbidden by Docker’s default profile are unknown here.');
  return {
    mounts: [
      ...(optionOf(service, 'systempaths') === 'unconfined' ? [] : COVERED),
      ...OWN_DEVICES,
      ...tmpfs.map((mount) => {
        const [path = '', options] = mount.split(':');
        return `mount -t tmpfs -o ${['nosuid,nodev,noexec', options].filter(Boolean).join()} tmpfs ${path}`;
      }),
      ...(read_only ? ['mount -o remount,bind,ro /'] : []),
    ],
    calls: JSON.parse(inProject(profile)) as Filtering,
    before: [
      ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
      `--bounding-set=${['-all', ...cap_add.map((name) => `+${name.toLowerCase()}`)].join()}`,
      ...['--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--'],
    ],
    after: entrypoint.slice(0, entrypoint.indexOf('--') + 1),
  };
};
