import { Gauge, type Registry } from 'prom-client';
import { emailDomains } from '../../projections/email-domains/projection.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { inTime } from './metrics.ts';

const STATUSES = ['pending', 'verified', 'failed'] as const;

/** Exposes the number of e-mail domains of pages, by status. The numbers are read at each scrape. */
export const observeEmailDomains = (registry: Registry, readers: Pick<Readers, 'for'>): void => {
  const counts = async (): Promise<number[]> => {
    const { email_domains } = readers.for({ appended: new Map() })(emailDomains);
    return Promise.all(STATUSES.map((status) => email_domains.count({ status })));
  };
  new Gauge({
    name: 'email_domains',
    help: 'E-mail domains of pages, by status; mail about the page of a failed one is sent from MAIL_FROM',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      this.reset();
      const found = await inTime(counts());
      for (const [index, count] of found.entries()) this.set({ status: STATUSES[index] ?? '' }, count);
    },
  });
};
