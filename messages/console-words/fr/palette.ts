import { plurals } from '../../words/plurals.ts';
import type { PaletteWords } from '../words/palette.ts';

export const palette: PaletteWords = {
  title: 'Recherche et commandes',
  placeholder: 'Rechercher vérifications, pages, actions …',
  groups: {
    recent: 'Ouverts récemment',
    screens: 'Écrans',
    actions: 'Actions',
    checks: 'Vérifications',
    heartbeats: 'Heartbeats',
    pages: 'Pages d’état',
    more: 'Plus',
  },
  newCheck: 'Nouvelle vérification',
  newHeartbeat: 'Nouveau heartbeat',
  newIncident: 'Nouvel incident',
  choice: (preference, option) => `${preference} : ${option}`,
  inList: (text) => `Filtrer les vérifications par « ${text} »`,
  choosePage: 'Sur quelle page l’incident paraît-il ?',
  noPages: 'Il n’y a pas encore de page d’état sur laquelle publier un incident.',
  searching: 'Recherche …',
  results: plurals('fr', { one: 'résultat', other: 'résultats' }),
  nothing: 'Aucun résultat.',
};
