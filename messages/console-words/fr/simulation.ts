import { plurals } from '../../words/plurals.ts';
import type { SimulationWords } from '../words/simulation.ts';

const ofAlerts = plurals('fr', { one: 'alerte', other: 'alertes' });
const ofRuns = plurals('fr', { one: 'exécution', other: 'exécutions' });

export const simulation: SimulationWords = {
  title: 'Ce qui se serait déclenché',
  text: 'Applique la règle du formulaire aux résultats enregistrés. Rien n’est enregistré, et personne n’est prévenu.',
  period: 'Période',
  periods: {
    week: '7 derniers jours',
    month: '30 derniers jours',
    quarter: '90 derniers jours',
    custom: 'Autre période',
  },
  from: 'Du',
  to: 'Au',
  run: 'Simuler',
  running: 'Simulation en cours',
  count: (alerts, runs) => `${ofAlerts(alerts)} en ${ofRuns(runs)}`,
  truncated: 'Une limite a été atteinte, il peut donc y avoir d’autres alertes. Choisissez une période plus courte.',
  stale: 'Le formulaire a changé depuis cette simulation.',
  invalid: 'Le formulaire contient des champs non valides.',
  fired: 'Déclenchée',
  resolved: 'Résolue',
  stillActive: 'encore active à la fin',
  duration: 'Durée',
  check: 'Vérification',
  results: 'Résultats',
  result: (region) => `Résultat de ${region}`,
};
