import { Gauge, type Registry } from 'prom-client';
import { SEVERITIES } from '../../domain/alert-rule/fields.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { inTime } from './metrics.ts';

/** Exposes the number of active alerts of all organizations. The number is read at each scrape. */
export const observeAlerts = (registry: Registry, readers: Pick<Readers, 'for'>): void => {
  const counts = async (): Promise<number[]> => {
    const fired = readers.for({ appended: new Map() })(alerts).alerts;
    return Promise.all(SEVERITIES.map((severity) => fired.count({ is_active: true, severity })));
  };
  new Gauge({
    name: 'alerts_active',
    help: 'Alerts that are firing or acknowledged, by severity',
    labelNames: ['severity'],
    registers: [registry],
    async collect() {
      this.reset();
      const found = await inTime(counts());
      for (const [index, count] of found.entries()) this.set({ severity: SEVERITIES[index] ?? '' }, count);
    },
  });
};
