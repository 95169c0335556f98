import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { CopyLine } from '../../parts/copy-line.tsx';
import { Link } from '../../parts/link.tsx';
import { currentLocation } from '../../router/router.ts';
import { words } from '../../shell/language.ts';
import { absoluteAddress } from './address.ts';
import { JOB, snippetsFor, SCHEDULER_NAMES, SCHEDULERS, WINDOWS_JOB } from './snippets/snippets.ts';

/** Snippets to copy, with which a job pings the heartbeat. */
export const Connect = ({ heartbeat }: { heartbeat: Schemas['Heartbeat'] }): JSX.Element => {
  const says = words.value.heartbeats;
  const { id, name, ping_url, period_seconds, schedule, time_zone } = heartbeat;
  const chosen = SCHEDULERS.find((one) => one === currentLocation.value.query.get('for')) ?? 'cron';
  const pinged = { name, url: absoluteAddress(ping_url), period_seconds, schedule, time_zone };
  const hint = chosen === 'cron' ? (schedule === null ? null : says.hints.cron(time_zone)) : says.hints[chosen];
  return (
    <section>
      <h2>{says.connect}</h2>
      <nav class="tabs" aria-label={says.place}>
        <ul>
          {SCHEDULERS.map((one) => (
            <li key={one}>
              <Link to={`/heartbeats/${id}?for=${one}`} current={one === chosen}>
                {SCHEDULER_NAMES[one]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <p class="hint">
        {says.connectText(chosen === 'powershell' ? WINDOWS_JOB : JOB)} {hint}
      </p>
      {snippetsFor(chosen, pinged).map(({ what, file, text }) => (
        <div key={what} class="snippet">
          <h3>
            {says.lines[what]} {file !== null && <code>{file}</code>}
          </h3>
          <CopyLine text={text} label={says.lines[what]} />
        </div>
      ))}
    </section>
  );
};
