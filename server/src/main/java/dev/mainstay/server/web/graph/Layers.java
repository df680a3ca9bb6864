package dev.mainstay.server.web.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The layers of a lane: everybody is one below the deepest that it stands on. */
final class Layers {
  private Layers() {}

  static List<List<Unit>> of(List<Unit> units) {
    Map<String, Integer> depths = new HashMap<>();
    var layers = new ArrayList<List<Unit>>();
    for (Unit unit : units) {
      int depth =
          unit.on().stream().mapToInt(on -> depths.getOrDefault(on, -1) + 1).max().orElse(0);
      depths.put(unit.id(), depth);
      while (layers.size() <= depth) {
        layers.add(new ArrayList<>());
      }
      layers.get(depth).add(unit);
    }
    Map<String, Double> sides = new HashMap<>();
    for (List<Unit> layer : layers) {
      layer.sort(Comparator.comparingDouble(unit -> side(unit, sides)));
      for (int i = 0; i < layer.size(); i++) {
        sides.put(layer.get(i).id(), (i + 0.5) / layer.size());
      }
    }
    return layers;
  }

  /** How far to the right that is, from 0 to 1, on which a unit stands. */
  private static double side(Unit unit, Map<String, Double> sides) {
    return unit.on().stream().mapToDouble(on -> sides.getOrDefault(on, 0.5)).average().orElse(0.5);
  }

  /** The layers as rows of at most so many units, which are about equally long. */
  static List<List<Unit>> rows(List<List<Unit>> layers, int most) {
    var rows = new ArrayList<List<Unit>>();
    for (List<Unit> layer : layers) {
      int parts = Math.ceilDiv(layer.size(), most);
      for (int i = 0; i < parts; i++) {
        int from = Math.ceilDiv(layer.size() * i, parts);
        int to = Math.ceilDiv(layer.size() * (i + 1), parts);
        rows.add(layer.subList(from, to));
      }
    }
    return rows;
  }
}
