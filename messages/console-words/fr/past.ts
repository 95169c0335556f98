import type { PastWords } from '../words/past.ts';

export const past: PastWords = {
  asItWas: 'État passé',
  text: 'Choisissez un moment, ou déplacez le curseur vers une modification.',
  stateOf: (moment) => `Vous voyez l’état du ${moment}.`,
  readOnly: 'Rien ne peut être modifié ici, et l’écran ne suit pas les nouvelles modifications.',
  backToNow: 'Revenir au présent',
  moment: 'Date et heure',
  show: 'Afficher',
  change: 'Modification',
  previous: 'Modification précédente',
  next: 'Modification suivante',
  changeOf: (number, count, moment) => `Modification ${number} sur ${count} : ${moment}`,
  beforeFirst: 'Avant la première modification',
  now: 'Maintenant',
  truncated: (count) =>
    `Le curseur contient les ${count} modifications les plus récentes. Les moments antérieurs peuvent être saisis.`,
  noMoment: 'Ce n’est pas un moment.',
  future: 'Ce moment est dans le futur.',
  notYetTitle: 'Pas encore créé',
  notYet: (first) => `Cela n’existait pas à ce moment. La première modification date du ${first}.`,
  showFirst: 'Afficher le premier état',
  notKnown: 'inconnu',
  noPast: 'Il n’y a pas d’états passés de cette partie.',
};
