import type { JSX } from 'preact';
import { language, words } from '../../../../shell/language.ts';
import { numberFormat } from '../../../../parts/number-format.ts';
import { fieldsOf, listOf, numberOf, type Fields } from '../values.ts';
import { KnownFacts, Part } from './shared.tsx';

const milliseconds = (time: number): string =>
  numberFormat(language.value, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 2 }).format(time);

const shownTime = (value: unknown): string | null => {
  const time = numberOf(value);
  return time === null ? null : milliseconds(time);
};

/** The measurements of a ping. */
export const PingPart = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const stats = fieldsOf(metadata['latency_stats']);
  const loss = numberOf(metadata['packet_loss_percent']);
  const latencies = listOf(stats['latencies']).flatMap((one) => numberOf(one) ?? []);
  return (
    <>
      <KnownFacts
        facts={[
          [says.target, metadata['original_host']],
          [says.address, metadata['resolved_ip']],
          [says.probesSent, metadata['probes_sent']],
          [says.packetLoss, loss === null ? null : `${numberFormat(language.value).format(loss)} %`],
          [says.average, shownTime(stats['avg'])],
          [says.least, shownTime(stats['min'])],
          [says.most, shownTime(stats['max'])],
          [says.deviation, shownTime(stats['stddev'])],
        ]}
      />
      {latencies.length > 0 && (
        <Part title={says.latencies}>
          <p class="number-list">{latencies.map(milliseconds).join(' · ')}</p>
        </Part>
      )}
    </>
  );
};
