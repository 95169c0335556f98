import { createHook } from 'node:async_hooks';

/**
 * The stack traces of open handles, by async id. They are recorded only on demand, because that is slow:
 * `TEST_ORIGINS=yes npm test -- <path>`.
 */
const open = new Map<number, string>();

const KINDS = /^(?:Timeout|TCPSERVERWRAP|TCPWRAP|PIPEWRAP|PIPESERVERWRAP|UDPWRAP|PROCESSWRAP|WORKER|MESSAGEPORT)$/;

if (process.env['TEST_ORIGINS'] !== undefined) {
  Error.stackTraceLimit = 30;
  createHook({
    init: (id, kind) => {
      if (KINDS.test(kind)) open.set(id, `${kind} ${new Error('opened').stack ?? ''}`);
    },
    destroy: (id) => {
      open.delete(id);
    },
  }).enable();
}

export const forgetOrigins = (): void => {
  open.clear();
};

export const originsOfOpen = (): string[] => [...open.values()];
