import type { TargetPolicy } from '../../domain/target/policy.ts';
import type { Clock } from '../../network/clock.ts';
import type { Resolve } from '../../network/resolve.ts';
import { RunAborted, type Outcome, type Run, type RunnableCheck } from '../engine/check-type.ts';
import { outcomeOf } from './outcome/outcome.ts';
import { stagedOutcome } from './outcome/stage.ts';
import type { ScriptKind } from './protocol.ts';
import { startProxy } from './proxy/proxy.ts';
import { readRun, type Remark } from './reading/read-run.ts';
import { createSandboxes, type SandboxesState } from './sandbox/sandboxes.ts';
import type { Proxy } from './sandbox/start/sandboxed.ts';
import { insideMain, modulesFolder, type ScriptSettings } from './settings.ts';

export interface ScriptsOptions {
  settings: ScriptSettings;
  /** the targets to which scripts may connect; the policy may change */
  policy: TargetPolicy;
  resolve: Resolve;
  clock: Clock;
  /** Called when a sandbox can't be started, unless the start of the previous sandbox failed too. */
  cannotStart?: (cause: string) => void;
}

/** Runs scripts, each in its own sandbox. */
export interface Scripts {
  runs: ReadonlyMap<ScriptKind, Run>;
  state: () => SandboxesState;
  /** Ends all sandboxes. Resolves when they are completely removed. */
  stop: () => Promise<void>;
}

/** The proxy of a sandbox, with its remarks for the logs of the run. */
interface RunProxy extends Proxy {
  remarks: (listen: (remark: Remark) => void) => void;
}

/** Number of warm sandboxes as a share of the maximum number of concurrent runs, rounded up. */
const WARM_SHARE = 0.5;

/** @throws LocalFailure if this machine does not support sandboxes */
export const openScripts = async ({
  settings,
  policy,
  resolve,
  clock,
  cannotStart,
}: ScriptsOptions): Promise<Scripts> => {
  const { atOnce, ports, chromium, ffmpeg } = settings;

  const proxyFor = async (socketPath: string): Promise<RunProxy> => {
    // Until the run listens, remarks are ignored. Nothing is lost, because an unused sandbox causes no remarks.
    let listen: (remark: Remark) => void = () => undefined;
    const { close } = await startProxy({
      socketPath,
      owner: null,
      resolve,
      policy,
      ports,
      clock,
      onNote: (note) => {
        listen(note);
      },
    });
    return {
      close,
      remarks: (listener) => {
        listen = listener;
      },
    };
  };

  const kinds = Object.entries(atOnce) as [ScriptKind, number][];
  const sandboxes = await createSandboxes({
    mode: settings.sandbox === 'on' ? 'sandbox' : 'off',
    sources: { main: insideMain(), modules: modulesFolder(), chromium, ffmpeg, extraCertificates: null },
    // The number is one higher than the number of runs, because the sandbox of a finished run may still exist when the
    // next run starts.
    kinds: Object.fromEntries(
      kinds.map(([kind, most]) => [kind, { warm: Math.ceil(most * WARM_SHARE), most: most + 1 }]),
    ),
    proxyFor,
    clock,
    ...(cannotStart && { cannotStart }),
  });

  const runOf =
    (kind: ScriptKind): Run =>
    async (check, { signal, staging }) => {
      try {
        return await runOnce(kind, check, signal, staging ?? null);
      } catch (error) {
        throw signal.aborted ? new RunAborted() : error;
      }
    };

  const runOnce = async (
    kind: ScriptKind,
    { parameters, timeout: seconds, url, secrets }: RunnableCheck,
    signal: AbortSignal,
    folder: string | null,
  ): Promise<Outcome> => {
    const timeout = Math.round(seconds * 1_000);
    const recordVideo = kind === 'synthetic' && parameters['record_video'] === true;
    const sandbox = await sandboxes.take(kind, signal);
    const begin = {
      type: 'begin',
      script: String(parameters['pw_script']),
      environment: { ...secrets },
      timeout,
      recordVideo,
      url,
    } as const;
    const record = await readRun(sandbox, begin, { folder, clock, signal, remarks: sandbox.proxy.remarks });
    if (recordVideo && ffmpeg === null) record.notes.push('Videos need ffmpeg, which is not installed here.');
    const asked = { secrets, timeout };
    return folder === null ? outcomeOf(record, asked).outcome : stagedOutcome(record, asked, folder);
  };

  return {
    runs: new Map(kinds.map(([kind]) => [kind, runOf(kind)])),
    state: sandboxes.state,
    stop: sandboxes.stop,
  };
};
