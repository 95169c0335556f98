/** The architectures that the filter supports, under their names in Node.js. */
export type Machine = 'x64' | 'arm64';

/** `AUDIT_ARCH_…` of linux/audit.h, which the kernel passes to a filter with every call. */
export const AUDIT_ARCH: Readonly<Record<Machine, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Highest number of a known system call (`futex_requeue`), which is the same on both architectures. */
export const LAST_KNOWN = 456;

/** The number of a call on x64 and on arm64; null if the architecture lacks the call. */
type Numbers = readonly [number | null, number | null];

/** Calls that are permitted depending on their arguments, or that fail with a special error. */
export const CONDITIONAL_CALLS = {
  clone: [56, 220],
  clone3: [435, 435],
  ioctl: [16, 29],
  memfd_create: [319, 279],
  personality: [135, 92],
  prctl: [157, 167],
  socket: [41, 198],
  socketpair: [53, 199],
  unshare: [272, 97],
} satisfies Record<string, Numbers>;

/**
 * Refused system calls: those that neither Node.js nor a browser needs and that often have kernel vulnerabilities, and
 * those whose memory belongs to no process (System V IPC, POSIX queues). The numbers come from
 * arch/x86/entry/syscalls/syscall_64.tbl and asm-generic/unistd.h of Linux.
 */
export const REFUSED: Readonly<Record<string, Numbers>> = {
  _sysctl: [156, null],
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  create_module: [174, null],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  get_kernel_syms: [177, null],
  get_mempolicy: [239, 236],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, null],
  iopl: [172, null],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  mbind: [237, 235],
  memfd_secret: [447, 447],
  migrate_pages: [256, 238],
  modify_ldt: [154, null],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  mq_open: [240, 180],
  msgget: [68, 186],
  name_to_handle_at: [303, 264],
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  query_module: [178, null],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  remap_file_pages: [216, 234],
  request_key: [249, 218],
  seccomp: [317, 277],
  semget: [64, 190],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  shmget: [29, 194],
  swapoff: [168, 225],
  swapon: [167, 224],
  sysfs: [139, null],
  syslog: [103, 116],
  umount2: [166, 39],
  uselib: [134, null],
  userfaultfd: [323, 282],
  ustat: [136, null],
  vhangup: [153, 58],
  vmsplice: [278, 75],
};

/** Returns the number of a call on an architecture; null if the architecture lacks the call. */
export const numberOf = (machine: Machine, [x64, arm64]: Numbers): number | null => (machine === 'x64' ? x64 : arm64);
