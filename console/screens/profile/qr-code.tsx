import type { JSX } from 'preact';
import { encode } from 'uqr';

/** Quiet zone around a code, in modules (ISO/IEC 18004, 9.1). */
const QUIET = 4;

/** A QR code. It is rendered in the browser, so that no other server learns its secret content. */
export const QrCode = ({ text, label }: { text: string; label: string }): JSX.Element => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
};
