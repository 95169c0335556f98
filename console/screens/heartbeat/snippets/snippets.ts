import { fileNameOf, powerShellText, quoteForShell } from './quoting.ts';
import { cronOf, kubernetesSchedule, timerSettings } from './schedules.ts';
import type { Times } from '../../heartbeats/times.ts';

/* Snippets with which a job pings its heartbeat. They contain no user input except the URL and the schedule: names are
   reduced to letters, digits and hyphens, so that no name can become a command. */

/** The parts of a heartbeat that its snippets depend on. */
export interface PingedHeartbeat extends Times {
  name: string;
  /** absolute ping URL */
  url: string;
}

/** The schedulers that snippets exist for. */
export const SCHEDULERS = ['cron', 'systemd', 'kubernetes', 'curl', 'powershell'] as const;
export type JobScheduler = (typeof SCHEDULERS)[number];

/** Names of the schedulers. They are product names and the same in every language. */
export const SCHEDULER_NAMES: Readonly<Record<JobScheduler, string>> = {
  cron: 'cron',
  systemd: 'systemd',
  kubernetes: 'Kubernetes',
  curl: 'curl',
  powershell: 'PowerShell',
};

/** A text to copy: a command line or a file. */
export interface Snippet {
  /** key of the snippet's label */
  what: 'success' | 'startAndEnd' | 'service' | 'timer' | 'enable' | 'cronJob' | 'script' | 'powershell';
  /** name of the file; null: the snippet is a command line */
  file: string | null;
  text: string;
}

/** The curl command for a ping: a timeout of 10 seconds, five retries, and no output unless it fails. */
const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null';

/** Placeholder for the command of a job. */
export const JOB = '/usr/local/bin/job';
export const WINDOWS_JOB = String.raw`C:\Jobs\job.exe`;

/** Escapes a command for a crontab. cron treats an unescaped `%` as a line break. */
const inCrontab = (command: string): string => command.replaceAll('%', String.raw`\%`);

const cron = (heartbeat: PingedHeartbeat): Snippet[] => {
  const expression = cronOf(heartbeat);
  const url = quoteForShell(heartbeat.url);
  const start = `${CURL} ${quoteForShell(`${heartbeat.url}/start`)}`;
  const end = `if ${JOB}; then end=; else end=/fail; fi; ${CURL} ${url}$end`;
  return [
    { what: 'success', file: 'crontab -e', text: `${expression} ${inCrontab(`${JOB} && ${CURL} ${url}`)}` },
    { what: 'startAndEnd', file: 'crontab -e', text: `${expression} ${inCrontab(`${start}; ${end}`)}` },
  ];
};

/** Escapes a command for a systemd unit. systemd expands unescaped `%` and `$`. */
const inUnit = (command: string): string => command.replaceAll('%', '%%').replaceAll('$', '$$$$');

const systemd = (heartbeat: PingedHeartbeat): Snippet[] => {
  const name = fileNameOf(heartbeat.name);
  const folder = '/etc/systemd/system';
  // An apostrophe in the URL would end the quoted word, so it is percent-encoded.
  const url = heartbeat.url.replaceAll("'", '%27');
  const end =
    `if [ "$SERVICE_RESULT" = success ]; then end=; else end=/fail; fi; ` +
    `exec ${CURL} -d "$SERVICE_RESULT, exit status $EXIT_STATUS" "${url}$end"`;
  return [
    {
      what: 'service',
      file: `${folder}/${name}.service`,
      text: [
        '[Unit]',
        `Description=Job ${name}`,
        'Wants=network-online.target',
        'After=network-online.target',
        '',
        '[Service]',
        'Type=oneshot',
        `ExecStartPre=-${inUnit(`${CURL} ${url}/start`)}`,
        `ExecStart=${JOB}`,
        `ExecStopPost=-/bin/sh -c '${inUnit(end)}'`,
      ].join('\n'),
    },
    {
      what: 'timer',
      file: `${folder}/${name}.timer`,
      text: [
        '[Unit]',
        `Description=Starts ${name}`,
        '',
        '[Timer]',
        ...timerSettings(heartbeat),
        '',
        '[Install]',
        'WantedBy=timers.target',
      ].join('\n'),
    },
    { what: 'enable', file: null, text: `systemctl daemon-reload && systemctl enable --now ${name}.timer` },
  ];
};

const kubernetes = (heartbeat: PingedHeartbeat): Snippet[] => {
  const name = fileNameOf(heartbeat.name);
  const { url, schedule, time_zone } = heartbeat;
  const wget = 'wget -q -T 10 -O /dev/null';
  return [
    {
      what: 'cronJob',
      file: `${name}.yaml`,
      text: [
        'apiVersion: batch/v1',
        'kind: CronJob',
        'metadata:',
        `  name: ${name}`,
        'spec:',
        `  schedule: ${JSON.stringify(kubernetesSchedule(cronOf(heartbeat)))}`,
        ...(schedule === null ? [] : [`  timeZone: ${JSON.stringify(time_zone)}`]),
        '  concurrencyPolicy: Forbid',
        '  jobTemplate:',
        '    spec:',
        '      backoffLimit: 0',
        '      template:',
        '        spec:',
        '          restartPolicy: Never',
        '          containers:',
        '            - name: job',
        '              image: busybox:stable',
        '              command:',
        '                - /bin/sh',
        '                - -c',
        '                - |',
        ...[
          `${wget} ${quoteForShell(`${url}/start`)}`,
          JOB,
          'status=$?',
          'if [ "$status" -eq 0 ]; then end=; else end=/fail; fi',
          `${wget} --post-data "exit status $status" ${quoteForShell(url)}$end`,
          'exit "$status"',
        ].map((line) => `                  ${line}`),
      ].join('\n'),
    },
  ];
};

/** Number of bytes of the job's output that are sent. A ping accepts at most 10 KiB. */
const LAST_BYTES = 10_000;

const curl = ({ url }: PingedHeartbeat): Snippet[] => [
  {
    what: 'success',
    file: null,
    text: `${JOB} && ${CURL} ${quoteForShell(url)}`,
  },
  {
    what: 'script',
    file: '/usr/local/bin/with-heartbeat',
    text: [
      '#!/bin/sh',
      `url=${quoteForShell(url)}`,
      `${CURL} "$url/start"`,
      'output=$("$@" 2>&1)',
      'status=$?',
      '[ "$status" -eq 0 ] || url="$url/fail"',
      `{ echo "exit status $status"; printf '%s\\n' "$output" | tail -c ${LAST_BYTES}; } |`,
      `  ${CURL} --data-binary @- "$url"`,
      'exit "$status"',
    ].join('\n'),
  },
];

const powershell = ({ url }: PingedHeartbeat): Snippet[] => [
  {
    what: 'powershell',
    file: 'with-heartbeat.ps1',
    text: [
      `$url = ${powerShellText(url)}`,
      'Invoke-RestMethod -Method Post -Uri "$url/start" -TimeoutSec 10 | Out-Null',
      `$output = & '${WINDOWS_JOB}' 2>&1 | Out-String`,
      '$status = $LASTEXITCODE',
      "if ($status -ne 0) { $url += '/fail' }",
      '$last = $output.Substring([Math]::Max(0, $output.Length - 3000))',
      '$body = [Text.Encoding]::UTF8.GetBytes("exit status $status`n$last")',
      'Invoke-RestMethod -Method Post -Uri $url -Body $body -ContentType text/plain -TimeoutSec 10 | Out-Null',
      'exit $status',
    ].join('\n'),
  },
];

const BY_SCHEDULER: Readonly<Record<JobScheduler, (heartbeat: PingedHeartbeat) => Snippet[]>> = {
  cron,
  systemd,
  kubernetes,
  curl,
  powershell,
};

/** Returns the snippets for a scheduler. */
export const snippetsFor = (place: JobScheduler, heartbeat: PingedHeartbeat): Snippet[] =>
  BY_SCHEDULER[place](heartbeat);
