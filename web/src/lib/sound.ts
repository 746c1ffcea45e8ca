/** A few short tones, for those who want them. Nothing is loaded: they are made here. */

import { settings } from "./settings.svelte";

type Tone = readonly [hertz: number, after: number, seconds: number];

const SOUNDS = {
  chip: [[1900, 0, 0.03]],
  deal: [[320, 0, 0.05]],
  win: [
    [660, 0, 0.09],
    [880, 0.09, 0.09],
    [1320, 0.18, 0.16],
  ],
} as const satisfies Record<string, readonly Tone[]>;

let speaker: AudioContext | null = null;

export function sound(name: keyof typeof SOUNDS): void {
  if (!settings.sounds || document.hidden) return;
  speaker ??= new AudioContext();
  const now = speaker.currentTime;
  for (const [hertz, after, seconds] of SOUNDS[name]) {
    const [tone, volume] = [speaker.createOscillator(), speaker.createGain()];
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, now + after);
    volume.gain.exponentialRampToValueAtTime(0.001, now + after + seconds);
    tone.connect(volume).connect(speaker.destination);
    tone.start(now + after);
    tone.stop(now + after + seconds);
  }
}
