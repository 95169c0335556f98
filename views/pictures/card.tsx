import type { JSX } from 'preact';
import { CARD, CARD_LAYOUT, type FittedCard } from '../../messages/cards/card.ts';
import { STATE_COLOURS } from '../../messages/state-colours.ts';
import { svgText } from '../document.tsx';
import { Mark } from './mark.tsx';

const TEXT = '#14181f';
const MUTED = '#56606c';
const BOLD = 600;

/** A card as an SVG element. The layout is mirrored for right-to-left languages. */
const CardPicture = ({ card, family }: { card: FittedCard; family: string }): JSX.Element => {
  const { state, rightToLeft, page, title, detail, foot } = card;
  const { fill, text: stateText, tint } = STATE_COLOURS[state];
  const { margin, mark } = CARD_LAYOUT;
  const x = rightToLeft ? CARD.width - margin : margin;
  const anchor = rightToLeft ? 'end' : 'start';
  const titleStep = title.size * CARD_LAYOUT.title.lineHeight;
  const detailTop = CARD_LAYOUT.title.y + (title.lines.length - 1) * titleStep + 62;
  const line = (text: string, y: number, size: number, color: string, weight?: number): JSX.Element => (
    <text x={x} y={y} font-size={size} fill={color} font-weight={weight} text-anchor={anchor}>
      {text}
    </text>
  );
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={CARD.width}
      height={CARD.height}
      viewBox={`0 0 ${CARD.width} ${CARD.height}`}
      font-family={family}
    >
      <rect width={CARD.width} height={CARD.height} fill={tint} />
      <rect x={rightToLeft ? CARD.width - 20 : 0} width="20" height={CARD.height} fill={fill} />
      {line(page, CARD_LAYOUT.page.y, CARD_LAYOUT.page.size, TEXT, BOLD)}
      <g transform={`translate(${rightToLeft ? x - mark.size : x} ${mark.y}) scale(${mark.size / 24})`}>
        <Mark state={state} fill={fill} sign="#ffffff" />
      </g>
      {title.lines.map((text, at) => line(text, CARD_LAYOUT.title.y + at * titleStep, title.size, stateText, BOLD))}
      {detail.map((text, at) =>
        line(text, detailTop + at * CARD_LAYOUT.detail.lineHeight, CARD_LAYOUT.detail.size, TEXT),
      )}
      {line(foot, CARD_LAYOUT.foot.y, CARD_LAYOUT.foot.size, MUTED)}
    </svg>
  );
};

/**
 * Returns a card as SVG.
 *
 * @param family font family
 */
export const cardSvg = (card: FittedCard, family: string): string => svgText(CardPicture({ card, family }));
