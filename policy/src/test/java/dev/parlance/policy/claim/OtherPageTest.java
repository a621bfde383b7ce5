package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts written without blanks: a page has few units of another page of its language; a quote and
 * part of one has nearly all of them.
 */
class OtherPageTest {
  private final Units units = new Units(4);

  @ParameterizedTest
  @ValueSource(strings = {"ja", "zh", "th", "lo", "km", "my"})
  void sentencesOfAnotherPage_shareFewUnits(String language) {
    List<List<String>> pages = pages(language);
    for (int i = 0; i < 2; i++) {
      Set<Long> evidence = keys(String.join("\n", pages.get(i)));
      for (String sentence : pages.get(1 - i)) {
        assertThat(share(sentence, evidence)).as(sentence).isLessThan(0.25);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ja", "zh", "th", "lo", "km", "my"})
  void quotes_andPartsOfThem_shareNearlyAllUnits(String language) {
    for (List<String> page : pages(language)) {
      Set<Long> evidence = keys(String.join("\n", page));
      for (String sentence : page) {
        assertThat(share(sentence, evidence)).as(sentence).isEqualTo(1);
        int half = sentence.codePointCount(0, sentence.length()) / 2;
        String part = sentence.substring(0, sentence.offsetByCodePoints(0, half));
        assertThat(share(part, evidence)).as(part).isGreaterThan(0.6);
      }
    }
  }

  private double share(String sentence, Set<Long> evidence) {
    units.read(Utf8Span.of(sentence));
    int found = 0;
    for (int i = 0; i < units.count(); i++) {
      found += evidence.contains(units.key(i)) ? 1 : 0;
    }
    return (double) found / units.count();
  }

  private Set<Long> keys(String text) {
    units.read(Utf8Span.of(text));
    Set<Long> keys = new HashSet<>();
    for (int i = 0; i < units.count(); i++) {
      keys.add(units.key(i));
    }
    return keys;
  }

  private static List<List<String>> pages(String language) {
    String all =
        switch (language) {
          case "ja" -> JA;
          case "zh" -> ZH;
          case "th" -> TH;
          case "lo" -> LO;
          case "km" -> KM;
          default -> MY;
        };
    return Arrays.stream(all.split("\n\n")).map(page -> List.of(page.strip().split("\n"))).toList();
  }

  private static final String JA =
      """
      この洗濯機は水平な床の上に設置し、四本の脚を回して高さを調整してください。
      初めて使う前に、輸送用のボルトを四本とも外す必要があります。
      洗剤は引き出しの左側に入れ、柔軟剤は右側の仕切りに入れます。
      脱水の回転数は毎分千四百回まで選べますが、毛布のときは八百回を超えないようにします。
      排水フィルターは月に一度、下の扉を開けて掃除してください。
      水が漏れたときは蛇口を閉め、電源プラグを抜いてから修理を依頼してください。
      保証書は購入した店の印がある場合に限り有効です。

      古い港町には、江戸時代から続く酒蔵が今も三軒残っている。
      春になると川沿いの桜が満開になり、遠くから多くの観光客が訪れる。
      町の資料館では、漁に使われた木の船や網を見ることができる。
      祭りの夜には若者たちが神輿を担いで坂道を上る。
      駅から城跡までは歩いておよそ二十分で、途中に小さな茶店がある。
      昔は塩の取引で栄えたが、鉄道が通ってから商人は隣の市へ移った。
      名物は焼いた鯖を載せたうどんで、朝早くから行列ができる。
      """;

  private static final String ZH =
      """
      这台洗衣机应当放在平整坚固的地面上，并用四个底脚调节高度。
      第一次使用之前，必须拆下全部四颗运输螺栓。
      洗衣粉放在抽屉的左格，柔顺剂放在右格。
      脱水转速最高为每分钟一千四百转，洗毛毯时不得超过八百转。
      排水过滤网每月清洗一次，打开下方的小门即可取出。
      如果发现漏水，请关闭水龙头，拔下电源插头，再联系维修人员。
      保修卡只有盖上商店印章才有效。

      这座古老的港口小镇至今还保留着三家清代的酒坊。
      每到春天，河边的樱花盛开，吸引许多远方的游客。
      镇上的博物馆展出渔民用过的木船和渔网。
      节日的夜晚，年轻人抬着神像走上石阶。
      从火车站步行到城堡遗址大约需要二十分钟，途中有一间茶馆。
      从前这里靠盐业贸易兴旺，铁路修通以后商人搬到了邻近的城市。
      当地名菜是烤鱼面，清早就有人排队。
      """;

  private static final String TH =
      """
      ควรวางเครื่องซักผ้าบนพื้นที่เรียบและแข็งแรง แล้วหมุนขาทั้งสี่เพื่อปรับระดับ
      ก่อนใช้งานครั้งแรกต้องถอดสลักสำหรับขนส่งออกให้หมด
      ใส่ผงซักฟอกในช่องด้านซ้าย และใส่น้ำยาปรับผ้านุ่มในช่องด้านขวา
      ความเร็วในการปั่นแห้งสูงสุดคือหนึ่งพันสี่ร้อยรอบต่อนาที
      ทำความสะอาดตัวกรองน้ำทิ้งเดือนละครั้งโดยเปิดฝาด้านล่าง
      หากมีน้ำรั่วให้ปิดก๊อก ถอดปลั๊กไฟ แล้วเรียกช่างมาซ่อม
      ใบรับประกันมีผลเมื่อมีตราประทับของร้านค้าเท่านั้น

      เมืองท่าเก่าแห่งนี้ยังมีโรงเหล้าสมัยโบราณเหลืออยู่สามแห่ง
      เมื่อถึงฤดูใบไม้ผลิ ดอกซากุระริมแม่น้ำจะบานเต็มที่ มีนักท่องเที่ยวมาเยือนมากมาย
      พิพิธภัณฑ์ของเมืองจัดแสดงเรือไม้และแหที่ชาวประมงเคยใช้
      คืนวันงานเทศกาล หนุ่มสาวจะหามเกี้ยวขึ้นไปตามทางลาดชัน
      จากสถานีรถไฟเดินไปถึงซากปราสาทประมาณยี่สิบนาที ระหว่างทางมีร้านน้ำชาเล็กๆ
      สมัยก่อนเมืองรุ่งเรืองเพราะการค้าเกลือ แต่พ่อค้าย้ายไปเมืองข้างเคียง
      อาหารขึ้นชื่อคือก๋วยเตี๋ยวปลาย่าง ผู้คนต่อแถวตั้งแต่เช้ามืด
      """;

  private static final String LO =
      """
      ວາງເຄື່ອງຊັກຜ້າໄວ້ເທິງພື້ນທີ່ຮາບພຽງ ແລ້ວໝຸນຂາທັງສີ່ເພື່ອປັບລະດັບ
      ກ່ອນໃຊ້ຄັ້ງທຳອິດຕ້ອງຖອດນັອດສຳລັບຂົນສົ່ງອອກໃຫ້ໝົດ
      ໃສ່ສະບູຝຸ່ນໃນຊ່ອງດ້ານຊ້າຍ
      ຖ້ານ້ຳຮົ່ວໃຫ້ປິດກອກນ້ຳ ແລະ ຖອດປັກໄຟ

      ເມືອງທ່າເຮືອເກົ່າແຫ່ງນີ້ຍັງມີໂຮງເຫຼົ້າບູຮານສາມແຫ່ງ
      ພິພິທະພັນສະແດງເຮືອໄມ້ແລະມອງຂອງຊາວປະມົງ
      ຈາກສະຖານີລົດໄຟຍ່າງໄປຮອດວັດປະມານຊາວນາທີ
      ອາຫານຂຶ້ນຊື່ແມ່ນເຝີປາປີ້ງ
      """;

  private static final String KM =
      """
      ដាក់ម៉ាស៊ីនបោកខោអាវលើឥដ្ឋរាបស្មើ ហើយបង្វិលជើងទាំងបួន
      មុនពេលប្រើលើកដំបូង ត្រូវដោះប៊ូឡុងដឹកជញ្ជូនចេញទាំងអស់
      ចាក់សាប៊ូម្សៅក្នុងថតខាងឆ្វេង
      បើមានទឹកលេច សូមបិទក្បាលរ៉ូប៊ីណេ ហើយដកដុំភ្លើង

      ទីក្រុងកំពង់ផែចាស់នេះនៅមានរោងស្រាបុរាណបី
      សារមន្ទីរបង្ហាញទូកឈើនិងសំណាញ់របស់អ្នកនេសាទ
      ពីស្ថានីយរថភ្លើងដើរទៅប្រាសាទប្រហែលម្ភៃនាទី
      ម្ហូបល្បីគឺមីត្រីអាំង
      """;

  private static final String MY =
      """
      အဝတ်လျှော်စက်ကို ညီညာသောကြမ်းပြင်ပေါ်တွင် ထားပါ
      ပထမဆုံးအသုံးမပြုမီ သယ်ယူရေးဘို့အားလုံးကို ဖြုတ်ရမည်
      ဆပ်ပြာမှုန့်ကို ဘယ်ဘက်အံဆွဲထဲ ထည့်ပါ
      ရေယိုလျှင် ရေပိုက်ခေါင်းကို ပိတ်ပြီး ပလပ်ကို ဆွဲဖြုတ်ပါ

      ဤရှေးဟောင်းဆိပ်ကမ်းမြို့တွင် အရက်ချက်စက်ရုံသုံးခု ကျန်ရှိသေးသည်
      ပြတိုက်၌ ငါးဖမ်းသမားတို့၏ သစ်သားလှေများကို ပြသထားသည်
      ဘူတာရုံမှ ရဲတိုက်သို့ လမ်းလျှောက်လျှင် မိနစ်နှစ်ဆယ်ကြာသည်
      နာမည်ကြီးအစားအစာမှာ ငါးကင်ခေါက်ဆွဲဖြစ်သည်
      """;
}
