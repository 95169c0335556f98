import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { freePort } from '../../test/servers/ports.ts';
import type { ProbeLoopTimes } from '../checks/probe-loop.ts';
import { usageOf } from './usage.ts';

const PROGRAM = 'prometheus-blackbox-exporter';

export interface Blackbox {
  /** Makes blackbox_exporter probe a target `probes` times, with the same requests that Prometheus sends. */
  probe: (module: string, target: string, probes: number, concurrency: number) => Promise<ProbeLoopTimes>;
  stop: () => Promise<void>;
}

/** Starts blackbox_exporter, Prometheus' prober, on a loopback port; returns null if it is not installed. */
export const startBlackbox = async (trustedCertificate: string): Promise<Blackbox | null> => {
  if (spawnSync(PROGRAM, ['--version']).status !== 0) {
    console.error(`skipped: ${PROGRAM} is not installed`);
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const file = join(folder, 'blackbox.yml');
  const http = {
    prober: 'http',
    timeout: '10s',
    http: { preferred_ip_protocol: 'ip4', tls_config: { ca_file: trustedCertificate } },
  };
  const tcp = { prober: 'tcp', timeout: '10s', tcp: { preferred_ip_protocol: 'ip4' } };
  const icmp = { prober: 'icmp', timeout: '10s', icmp: { preferred_ip_protocol: 'ip4' } };
  const dns = {
    prober: 'dns',
    timeout: '10s',
    dns: { preferred_ip_protocol: 'ip4', query_name: 'www.example.test', query_type: 'A' },
  };
  // The configuration file is YAML, and JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ modules: { http, tcp, icmp, dns } }));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(PROGRAM, [`--config.file=${file}`, `--web.listen-address=${address}`, '--log.level=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const dispatcher = new Agent({ connections: 100 });

  const ask = async (path: string): Promise<string> => {
    const { body } = await dispatcher.request({ origin: `http://${address}`, path, method: 'GET' });
    return body.text();
  };
  const cpu = (): number => usageOf(child.pid ?? 0).cpu * 1_000;
  const ready = async (): Promise<void> => {
    for (;;) {
      try {
        await ask('/-/healthy');
        return;
      } catch (error) {
        if (child.exitCode !== null) throw error;
        await new Promise((later) => setTimeout(later, 20));
      }
    }
  };
  await ready();

  return {
    probe: async (module, target, probes, concurrency) => {
      const path = `/probe?module=${module}&target=${encodeURIComponent(target.replace('tcp://', ''))}`;
      const started = performance.now();
      const before = cpu();
      let begun = 0;
      const lane = async (): Promise<void> => {
        while (begun++ < probes) {
          const metrics = await ask(path);
          if (!metrics.includes('probe_success 1'))
            throw new Error(`blackbox_exporter failed on ${target}:\n${metrics}`);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, lane));
      return { wall: performance.now() - started, cpu: cpu() - before };
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await dispatcher.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
