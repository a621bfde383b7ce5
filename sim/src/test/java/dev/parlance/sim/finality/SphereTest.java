package dev.parlance.sim.finality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SphereTest {
  private final SplittableRandom random = new SplittableRandom(11);

  @Test
  void tilted_isAtTheAngleAskedFor() {
    for (int dim = 2; dim < 40; dim++) {
      double[] from = Sphere.any(random, dim);
      double angle = 1e-4 + 3.0 * random.nextDouble();
      assertThat(Sphere.angle(from, Sphere.tilted(from, angle, random)))
          .isCloseTo(angle, within(1e-9));
    }
  }

  @Test
  void angle_isExactWhereCosinesAreNot() {
    double[] from = Sphere.any(random, 20);
    assertThat(Sphere.angle(from, Sphere.tilted(from, 1e-8, random)))
        .isCloseTo(1e-8, within(1e-12));
    assertThat(Sphere.angle(from, Sphere.opposite(from))).isCloseTo(Math.PI, within(1e-12));
    assertThat(Sphere.angle(from, from)).isZero();
  }

  @Test
  void blurred_hasTheSpreadInTheRootMeanSquare() {
    double[] from = Sphere.any(random, 384);
    double spread = Math.toRadians(2.2);
    double squares = 0.0;
    for (int i = 0; i < 2_000; i++) {
      double angle = Sphere.angle(from, Sphere.blurred(from, spread, random));
      squares += angle * angle;
    }
    assertThat(Math.sqrt(squares / 2_000)).isCloseTo(spread, within(0.02 * spread));
  }

  @Test
  void towards_reachesTheOther_andGoesPastIt() {
    double[] from = Sphere.any(random, 9);
    double[] to = Sphere.tilted(from, 0.4, random);
    assertThat(Sphere.angle(to, Sphere.towards(from, to, 0.4))).isLessThan(1e-9);
    assertThat(Sphere.angle(to, Sphere.towards(from, to, 0.7))).isCloseTo(0.3, within(1e-9));
    assertThat(Sphere.towards(from, from, 0.7)).containsExactly(from);
  }

  @Test
  void diameterAndMean_areThoseOfTheSet() {
    List<double[]> set = new ArrayList<>();
    set.add(new double[] {1.0, 0.0});
    assertThat(Sphere.diameter(set)).isZero();
    set.add(new double[] {0.0, 1.0});
    set.add(new double[] {-1.0, 0.0});
    assertThat(Sphere.diameter(set)).isEqualTo(2.0);
    assertThat(Sphere.mean(set)[0]).isCloseTo(0.0, within(1e-12));
    assertThat(Sphere.mean(set)[1]).isCloseTo(1.0 / 3.0, within(1e-12));
    assertThat(Sphere.distanceAt(0.0)).isCloseTo(Math.sqrt(2.0), within(1e-12));
  }
}
