/** Measures the ingestion of results at full speed by a service that already stores many results. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../tools/child.ts';
import type { IngestTask, IngestResult } from './ingest-service.ts';
import { sizeOf } from '../tools/sizes.ts';
import { perSecond, type Row } from '../tools/table.ts';

const STORED = sizeOf('INGEST_STORED', 1_000_000);
const SECONDS = sizeOf('INGEST_SECONDS', 20);

const inProcess = async (asked: IngestTask): Promise<unknown> => {
  const child = await startChild('checks/ingest-service', { greets: true });
  try {
    return await child.ask(asked);
  } finally {
    await child.stop();
  }
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    await inProcess({ task: 'fill', folder, results: STORED });
    const { results, stored, folded, cpu, delay } = (await inProcess({
      task: 'ingest',
      folder,
      seconds: SECONDS,
    })) as IngestResult;
    const beside = `into a service that stores ${STORED.toLocaleString('en')} results`;
    return [
      {
        what: `results through queue, log and read models, ${beside}`,
        figure: perSecond(results, folded),
        peer: `until they were stored ${perSecond(results, stored)}; ${(cpu / results).toFixed(2)} ms of CPU each`,
        ratio: stored / folded,
        aim: '≥ 5,000/s',
      },
      {
        what: 'event-loop delay of the main thread meanwhile, p99',
        figure: `${delay.p99.toFixed(1)} ms`,
        peer: `median ${delay.p50.toFixed(1)} ms, longest ${delay.max.toFixed(0)} ms`,
        aim: '< 20 ms',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
